#include "validation/problem.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include "engine/compression.hpp"
#include "numeric/random.hpp"
#include "response/bernoulli.hpp"
#include "response/gaussian_moments.hpp"
#include "response/pointwise_data.hpp"
#include "source/harmonics.hpp"

namespace linkgistic::validation {
namespace {

constexpr double base_frequency = 0.5;

// Gaussian rows whose precision has its prior about the level of the cell: log precision ~ N(mean, 0.5^2).
class LevelledNoise final : public DataTerm {
 public:
  LevelledNoise(GaussianMoments moments, HyperParameter precision)
      : moments_(std::move(moments)), precision_(std::move(precision)) {}
  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override { return {precision_}; }
  [[nodiscard]] double value(const Vector& kappa, const Vector& eta) const override {
    return moments_.value(kappa, eta);
  }
  [[nodiscard]] DataDerivatives derivatives(const Vector& kappa, const Vector& eta) const override {
    return moments_.derivatives(kappa, eta);
  }
  [[nodiscard]] DataGradient gradient(const Vector& kappa, const Vector& eta, bool asked) const override {
    return moments_.gradient(kappa, eta, asked);
  }
  [[nodiscard]] Vector third(const Vector& kappa, const Vector& eta, const Matrix& t) const override {
    return moments_.third(kappa, eta, t);
  }
  [[nodiscard]] DataDerivatives hyper_derivatives(const Vector& kappa, const Vector& eta,
                                                  Index i) const override {
    return moments_.hyper_derivatives(kappa, eta, i);
  }
  [[nodiscard]] QuadraticBound quadratic_bound(const Vector& mean, const Matrix& covariance,
                                               const Vector& eta) const override {
    return moments_.quadratic_bound(mean, covariance, eta);
  }
  [[nodiscard]] QuadraticBound quadratic_bound_derivative(const Vector& eta, Index i) const override {
    return moments_.quadratic_bound_derivative(eta, i);
  }
  [[nodiscard]] bool is_quadratic() const override { return moments_.is_quadratic(); }

 private:
  GaussianMoments moments_;
  HyperParameter precision_;
};

HyperParameter precision_about(double noise) {
  HyperParameter h =
      GaussianMoments(std::make_shared<Harmonics>(1, base_frequency)).hyper_parameters().front();
  h.start = 1 / (noise * noise);
  h.prior_mean = std::log(h.start);
  h.prior_sd = 0.5;
  return h;
}

// Hyper-parameters of this prior slope: a = 1.5, v = 0.3, gamma = 1, mu = 0; the gp has the slope as its
// variance.
double value_for_slope(double slope, const std::string& name, int harmonics) {
  const double a = 1.5;
  if (name == "a") return a;
  if (name == "b") return slope * (a - 1) / (1 - std::pow(a, -harmonics));
  if (name == "v") return 0.3;
  if (name == "scale") return slope;
  if (name == "gamma") return 1;
  return 0;
}

// Where hyper-parameters are known.
double known_slope(const Cell& cell) { return cell.gaussian ? 1 : 3; }

double least_squares_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<Index>(x.size());
  const Eigen::Map<const Vector> at(x.data(), n), value(y.data(), n);
  const Vector centred = at.array() - at.mean();
  return centred.dot(value) / centred.squaredNorm();
}

std::shared_ptr<const DataTerm> bernoulli_rows(const std::shared_ptr<const Features>& features,
                                               const std::vector<double>& x, const std::vector<double>& y) {
  constexpr std::size_t cells = 64;
  const auto response = std::make_shared<BernoulliResponse>();
  if (x.size() <= 4 * cells)
    return std::make_shared<PointwiseData>(features, response, x, y, std::vector<double>(), 1);
  const std::vector<float> score(x.begin(), x.end());
  const std::vector<std::int32_t> label(y.begin(), y.end());
  const auto [least, greatest] = std::minmax_element(score.begin(), score.end());
  const CellGrid grid(static_cast<double>(*least), static_cast<double>(*greatest), cells);
  std::vector<CellMoments> moments(2 * cells);
  for (std::size_t n = 0; n < score.size(); ++n)
    grid.add(static_cast<double>(score[n]), 1, label[n] == 1 ? 1 : 0, moments.data());
  const WeightedRows rows = grid.rows(moments);
  return std::make_shared<PointwiseData>(features, response, rows.x, rows.y, rows.weight, 1);
}

}  // namespace

std::string Cell::name() const {
  const char* priors[] = {"isgp", "offset", "gp"};
  char text[80];
  std::snprintf(text, sizeof text, "%s %s %d %s %s", priors[static_cast<int>(prior)],
                gaussian ? "gaussian" : "bernoulli", rows,
                gaussian ? (noise < 0.1   ? "0.05"
                            : noise < 0.5 ? "0.2"
                                          : "1")
                         : "-",
                learned ? "learned" : "known");
  return text;
}

std::vector<Cell> all_cells() {
  std::vector<Cell> cells;
  for (const bool learned : {false, true}) {
    for (const PriorKind prior : {PriorKind::isgp, PriorKind::offset, PriorKind::gp}) {
      for (const int rows : {30, 300, 3000}) {
        for (const double noise : {0.05, 0.2, 1.0}) cells.push_back({prior, true, rows, noise, learned});
        cells.push_back({prior, false, rows, 0, learned});
      }
    }
  }
  return cells;
}

DrawnProblem::DrawnProblem(const Cell& cell, int harmonics, std::uint64_t seed, std::uint64_t set)
    : cell_(cell), harmonics_(harmonics), family_(cell.prior, harmonics, base_frequency) {
  RandomStream random(seed, set);
  std::vector<HyperParameter> hyper = family_.hyper_parameters();
  const auto n_source = static_cast<Index>(hyper.size());
  if (cell.gaussian) hyper.push_back(precision_about(cell.noise));
  theta_.resize(static_cast<Index>(hyper.size()));
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    const HyperParameter& h = hyper[i];
    const bool noise = static_cast<Index>(i) >= n_source;
    const double known = h.to_theta(noise ? h.start : value_for_slope(known_slope(cell), h.name, harmonics));
    theta_[static_cast<Index>(i)] = cell.learned ? h.prior_mean + h.prior_sd * random.normal() : known;
  }
  source_ = family_.at(theta_.head(n_source));
  kappa_ = source_.map->value(source_.prior.draw(random));

  std::vector<double> x(static_cast<std::size_t>(cell.rows)), y(x.size());
  for (double& value : x) value = 2 * random.uniform() - 1;
  const Vector nu = source_.features->values(x, kappa_, 1);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double at = nu[static_cast<Index>(n)];
    y[n] = cell.gaussian ? at + std::exp(-theta_[n_source] / 2) * random.normal()
                         : (random.uniform() < 1 / (1 + std::exp(-at)) ? 1 : 0);
  }
  std::shared_ptr<const DataTerm> term;
  if (cell.gaussian) {
    slope_ = least_squares_slope(x, y);
    GaussianMoments moments(source_.features);
    moments.add(x, y, {}, 1);
    term = std::make_shared<LevelledNoise>(std::move(moments), hyper.back());
  } else {
    term = bernoulli_rows(source_.features, x, y);
  }
  learning_.seed = set;
  if (cell.prior == PriorKind::offset) learning_.start_draws = 4;
  problem_ = std::make_unique<Problem>(
      family_, [term](const std::shared_ptr<const Features>&) { return term; }, SourceRange{-1, 1});
  problem_->learned.assign(hyper.size(), cell.learned);
}

LaplaceFit DrawnProblem::fit() const {
  if (!cell_.learned) return learn(problem_->from(theta_).held(), learning_);
  // MonotoneRegression standardises y; here the search begins at the slope of the data instead.
  Vector first = problem_->theta;
  const auto& hyper = problem_->hyper;
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    if (slope_ > 0 && (hyper[i].name == "b" || hyper[i].name == "scale"))
      first[static_cast<Index>(i)] = hyper[i].to_theta(value_for_slope(slope_, hyper[i].name, harmonics_));
  }
  LaplaceFit best = learn(problem_->from(first), learning_);
  // As MonotoneRegression does: the modes of loud noise hide those of faint noise.
  if (cell_.prior == PriorKind::isgp && cell_.gaussian) {
    for (const double fainter : {100.0, 1e4}) {
      Vector start = first;
      start[start.size() - 1] += std::log(fainter);
      LaplaceFit other = learn(problem_->from(start), learning_);
      if (other.log_evidence + other.log_hyper_prior > best.log_evidence + best.log_hyper_prior)
        best = std::move(other);
    }
  }
  return best;
}

}  // namespace linkgistic::validation

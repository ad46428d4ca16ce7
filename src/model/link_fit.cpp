#include "model/link_fit.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "inference/empirical_bayes.hpp"
#include "likelihood/pointwise_data.hpp"
#include "likelihood/slope_ridge.hpp"
#include "prior/harmonics.hpp"

namespace linkgistic {
namespace {

constexpr Index grid_size = 129;

// (rows): their shares by the information that their labels have of nu under the link before.
std::vector<double> information_shares(const WeightedRows& rows, const ClassLink& previous,
                                       const BaseLoss& base) {
  const std::vector<double> nu = previous.at(rows.x, 1).nu;
  std::vector<double> share(rows.size());
  double total = 0;
  for (std::size_t i = 0; i < share.size(); ++i) {
    share[i] = rows.weight[i] * base.information(nu[i]);
    total += share[i];
  }
  for (double& u : share) u /= total;
  return share;
}

// G with kappa' G kappa = sum_n u_n (dnu/dm)^2.
Matrix square_slope(const SourceModel& source, std::span<const double> share, std::span<const double> t,
                    double half) {
  const Matrix map = slope_map(source);
  const Harmonics harmonics(static_cast<int>((map.rows() - 1) / 2), base_frequency);
  const Matrix gram = harmonics.sums(t, share, share, 1).gram;
  return map.transpose() * gram * map / (half * half);
}

// One hyper-parameter, number k, where the slope of evidence and prior in it is zero: by secants, which take
// fewer evaluations than a general search when they begin near by.
LaplaceFit learn_one(const SourceFamily& family, const DataTerm& data, Vector theta, Index k, double floor) {
  const HyperParameter h = family.hyper_parameters()[static_cast<std::size_t>(k)];
  constexpr int most_evaluations = 12;
  constexpr double flat = 0.02;  // of a curvature near 1: the evidence is within 2e-4 of its greatest
  LaplaceFit best;
  double most = 0;
  double step = 0;
  double last_slope = 0;
  Vector g;
  for (int i = 0; i < most_evaluations; ++i) {
    LaplaceFit fit;
    fit.theta = theta;
    fit.source = family.at(theta);
    const LogJoint joint(fit.source, data, Vector());
    fit.mode = find_mode(joint, i == 0 ? fit.source.prior.mean : g);
    g = fit.mode.g;
    const Evidence evidence = laplace_evidence_gradient(joint, fit.mode, floor);
    fit.log_evidence = evidence.value;
    const double z = (theta[k] - h.prior_mean) / h.prior_sd;
    const double slope = evidence.gradient[k] - z / h.prior_sd;
    const double objective = evidence.value - z * z / 2;
    if (i == 0 || objective > most) {
      most = objective;
      best = std::move(fit);
    }
    if (!(std::abs(slope) > flat)) break;
    const double secant = i == 0 ? 0 : (slope - last_slope) / step;
    const double curvature = secant < -0.05 ? -secant : std::max(1.0, std::abs(slope));
    const double next = std::clamp(theta[k] + std::clamp(slope / curvature, -1.5, 1.5), h.to_theta(h.lower),
                                   h.to_theta(h.upper));
    step = next - theta[k];
    if (step == 0) break;
    last_slope = slope;
    theta[k] = next;
  }
  return best;
}

}  // namespace

LinkFamily::LinkFamily(const LinkHyper& hyper)
    : hyper_(hyper), family_(hyper.kind, hyper.harmonics, base_frequency) {}

std::vector<std::pair<std::string, double>> LinkFamily::hyper(const Vector& theta,
                                                              const ScoreRange& range) const {
  std::vector<std::pair<std::string, double>> named;
  double a = hyper_.a;
  for (Index i = 0; i < theta.size(); ++i) {
    const HyperParameter& h = family_.hyper_parameters()[static_cast<std::size_t>(i)];
    const double value = h.to_value(theta[i]);
    if (h.name == "a") a = value;
    if (h.name == "b") {
      named.emplace_back("k(0,0)", value * decay_sum(a) / (hyper_.kind == PriorKind::gp ? 1 : range.half()));
    } else if (h.name == "scale") {
      named.emplace_back("size", value / range.half());
    } else if (h.name != "mu") {  // of the middle of the range: the intercept's
      named.emplace_back(h.name, value);
    }
  }
  return named;
}

// sum_m a^-m, m = 1..K.
double LinkFamily::decay_sum(double a) const { return (1 - std::pow(a, -hyper_.harmonics)) / (a - 1); }

// In t = (m - middle)/half the slope of nu, and with it the spectrum of f, is `half` times as large.
Vector LinkFamily::theta(const ScoreRange& range) const {
  const auto& hyper = family_.hyper_parameters();
  Vector theta(static_cast<Index>(hyper.size()));
  const double a = hyper_.a;
  const double sum = decay_sum(a);
  for (Index i = 0; i < theta.size(); ++i) {
    const HyperParameter& h = hyper[static_cast<std::size_t>(i)];
    double value = h.start;
    if (h.name == "a") value = a;
    if (h.name == "b") value = hyper_.size / sum * (hyper_.kind == PriorKind::gp ? 1 : range.half());
    if (h.name == "v") value = hyper_.v;
    if (h.name == "scale") value = hyper_.size * range.half();
    if (h.name == "gamma") value = hyper_.gamma;
    if (h.name == "mu") value = hyper_.mu + (hyper_.kind == PriorKind::gp ? 0 : hyper_.size * range.middle());
    theta[i] = h.to_theta(value);
  }
  return theta;
}

Vector LinkFamily::start(const SourceModel& source, const ScoreRange& range,
                         const ClassLink& previous) const {
  if (!source.basis) return source.prior.mean;
  const Vector t = Vector::LinSpaced(grid_size, -1, 1);
  if (previous.is_identity()) {
    return project_latent(source, t, Vector::Constant(grid_size, std::sqrt(range.half())), range.middle());
  }
  // The previous f, in the present coordinate.
  const ScoreRange& old = previous.range();
  const double ratio = range.half() / old.half();
  const Vector& g = previous.posterior().mode();
  const Vector f = t.unaryExpr([&](double x) {
    const double at = (range.middle() + x * range.half() - old.middle()) / old.half();
    return std::sqrt(ratio) * previous.source().latent(std::clamp(at, -1.0, 1.0), g);
  });
  const std::vector<double> middle{range.middle()};
  return project_latent(source, t, f, previous.at(middle, 1).nu[0]);
}

ClassLink LinkFamily::fit(const WeightedRows& rows, const ScoreRange& range, double ridge,
                          const ClassLink& previous) const {
  std::vector<double> t(rows.size());
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = (rows.x[i] - range.middle()) / range.half();
  Vector begin = theta(range);
  const SourceModel first = family_.at(begin);
  const std::vector<double> share = information_shares(rows, previous, *hyper_.base);
  const Matrix slope = square_slope(first, share, t, range.half());
  const auto term = std::make_shared<SlopeRidge>(
      std::make_shared<PointwiseData>(first.features, hyper_.base->likelihood(), t, rows.y, rows.weight, 1),
      slope, ridge);
  const DataFactory data = [&](const std::shared_ptr<const Features>&) { return term; };
  EmpiricalBayesOptions options;
  options.start_draws = 0;
  options.max_evaluations = 30;
  options.tolerance = 1e-5;
  const EmpiricalBayes bayes(family_, data, Range{}, options);
  std::vector<bool> learn;
  for (const HyperParameter& h : family_.hyper_parameters()) {
    learn.push_back((hyper_.learn && (h.name == "a" || h.name == "b" || h.name == "v")) ||
                    (hyper_.kind == PriorKind::gp && h.name == "b"));
  }
  for (std::size_t i = 0; i < learn.size(); ++i) {
    const auto k = static_cast<Index>(i);
    if (learn[i] && !previous.is_identity()) begin[k] = previous.theta()[k];
  }
  LaplaceFit found;
  const auto n_learned = std::count(learn.begin(), learn.end(), true);
  if (n_learned == 1 && hyper_.kind == PriorKind::gp) {
    found = learn_one(family_, *term, begin, std::find(learn.begin(), learn.end(), true) - learn.begin(),
                      options.curvature_floor);
  } else if (n_learned > 0) {
    found = bayes.fit(begin, learn);
  } else {
    found.theta = begin;
    found.source = family_.at(found.theta);
    const LogJoint joint(found.source, *term, Vector());
    found.mode = find_best_mode(joint, {start(found.source, range, previous)}, Range{});
    found.log_evidence = laplace_evidence(joint, found.mode, options.curvature_floor);
  }
  const Vector kappa = found.source.map->value(found.mode.g);
  LinkFacts facts;
  facts.log_evidence = found.log_evidence;
  facts.smallest_eigenvalue =
      Eigen::SelfAdjointEigenSolver<Matrix>(found.mode.whitened_hessian, Eigen::EigenvaluesOnly)
          .eigenvalues()
          .minCoeff();
  facts.slope = std::sqrt(std::max(kappa.dot(slope * kappa), 0.0));  // rounding of a flat link
  facts.newton_iterations = found.mode.iterations;
  const Vector nu = found.source.features->values(t, kappa, 1);
  for (std::size_t i = 0; i < share.size(); ++i) {
    facts.mean_nu += share[i] * nu[static_cast<Index>(i)];
    facts.mean_margin += share[i] * rows.x[i];
  }
  return {range, found.theta, found.source,
          std::make_shared<const GaussianPosterior>(bayes.posterior(found, learn)), facts};
}

}  // namespace linkgistic

#include "repro/toy_fit.hpp"

#include <algorithm>
#include <cmath>

#include "inference/learn.hpp"
#include "response/bernoulli.hpp"
#include "response/gaussian_moments.hpp"
#include "response/pointwise_data.hpp"
#include "source/trig_curve.hpp"
#include "source/trig_source.hpp"

namespace linkgistic::repro {
namespace {

constexpr double x_middle = 50, x_half = 50;
constexpr double base_frequency = 0.5;
constexpr double z90 = 1.6448536269514722;  // 90 % of a normal distribution lie within z90 deviations

std::shared_ptr<const DataTerm> data_term(const std::shared_ptr<const Features>& features, bool gaussian,
                                          const std::vector<double>& t, const std::vector<double>& u) {
  if (!gaussian) {
    return std::make_shared<PointwiseData>(features, std::make_shared<BernoulliResponse>(), t, u,
                                           std::vector<double>(), 1);
  }
  auto moments = std::make_shared<GaussianMoments>(features);
  moments->add(t, u, {}, 1);
  return moments;
}

}  // namespace

struct ToyFit::State {
  State(PriorKind prior, int harmonics) : family(prior, harmonics, base_frequency) {}

  TrigSource family;
  bool gaussian = true;
  double shift = 0, scale = 1;
  std::unique_ptr<Problem> problem;
  LearnOptions options;
  LaplaceFit fit;
  std::unique_ptr<GaussianPosterior> posterior;
  // nu in the units of y has slope scale/x_half times that in t.
  [[nodiscard]] double root_scale() const { return std::sqrt(scale / x_half); }
};

ToyFit::ToyFit(const Toy& toy, PriorKind prior, bool gaussian, int harmonics, std::function<bool()> stop)
    : state_(std::make_unique<State>(prior, harmonics)) {
  State& s = *state_;
  s.gaussian = gaussian;
  std::vector<double> t, u = toy.y;
  for (const double x : toy.x) t.push_back((x - x_middle) / x_half);
  if (gaussian) {
    const auto n = static_cast<double>(u.size());
    for (const double y : toy.y) s.shift += y / n;
    double square = 0;
    for (const double y : toy.y) square += (y - s.shift) * (y - s.shift) / n;
    s.scale = std::sqrt(square);
    for (double& value : u) value = (value - s.shift) / s.scale;
  }
  const auto term = data_term(s.family.at(start_theta(s.family.hyper_parameters())).features, gaussian, t, u);
  s.options.stop = std::move(stop);
  s.problem = std::make_unique<Problem>(
      s.family, [term](const std::shared_ptr<const Features>&) { return term; }, SourceRange{-1, 1});
  s.problem->hyper_priors = false;
  s.fit = learn(*s.problem, s.options);
  // The modes of loud noise hide those of faint noise.
  if (gaussian && prior == PriorKind::isgp) {
    Vector start = s.problem->theta;
    start[start.size() - 1] += std::log(100.0);
    LaplaceFit other = learn(s.problem->from(start), s.options);
    if (other.log_evidence > s.fit.log_evidence) s.fit = std::move(other);
  }
  s.options.poll_stop();
  s.posterior = std::make_unique<GaussianPosterior>(laplace_posterior(s.problem->held(), s.fit, s.options));
}

ToyFit::~ToyFit() = default;

ToyCurve ToyFit::nu(std::span<const double> x) const {
  const State& s = *state_;
  const Vector kappa = s.posterior->point_coefficients(*s.fit.source.map);
  ToyCurve curve;
  for (const double at : x) {
    const Vector phi = s.fit.source.features->at((at - x_middle) / x_half);
    const double middle = s.shift + s.scale * kappa.dot(phi);
    const double half = z90 * s.scale * std::sqrt(s.posterior->variance(*s.fit.source.map, phi));
    curve.middle.push_back(middle);
    curve.lower.push_back(middle - half);
    curve.upper.push_back(middle + half);
  }
  return curve;
}

ToyCurve ToyFit::f(std::span<const double> x) const {
  const State& s = *state_;
  const Basis& basis = *s.fit.source.basis;
  const auto count = static_cast<Index>(x.size());
  Matrix forms = Matrix::Zero(s.fit.source.dimension(), count);
  Vector phi(basis.size());
  ToyCurve curve;
  for (Index i = 0; i < count; ++i) {
    basis.evaluate((x[static_cast<std::size_t>(i)] - x_middle) / x_half, phi);
    forms.col(i).head(basis.size()) = phi;
    curve.middle.push_back(s.root_scale() * forms.col(i).dot(s.posterior->estimate()));
  }
  const std::vector<double> levels{0.05, 0.95};
  const Matrix quantiles = s.posterior->linear_quantiles(forms, levels);
  for (Index i = 0; i < count; ++i) {
    curve.lower.push_back(s.root_scale() * quantiles(i, 0));
    curve.upper.push_back(s.root_scale() * quantiles(i, 1));
  }
  return curve;
}

ToyCurve ToyFit::f_squared(std::span<const double> x) const {
  ToyCurve curve = f(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double low = curve.lower[i], high = curve.upper[i];
    curve.middle[i] *= curve.middle[i];
    curve.lower[i] = low < 0 && high > 0 ? 0 : std::min(low * low, high * high);
    curve.upper[i] = std::max(low * low, high * high);
  }
  return curve;
}

std::shared_ptr<const Source> ToyFit::source() const {
  const SourceModel& source = state_->fit.source;
  return std::make_shared<TrigCurve>(
      trig_coefficients(source, state_->posterior->point_coefficients(*source.map), x_middle, x_half));
}

double ToyFit::noise() const {
  const State& s = *state_;
  return s.gaussian ? s.scale * std::exp(-s.fit.theta[s.fit.theta.size() - 1] / 2) : 0;
}

double ToyFit::log_evidence() const { return state_->fit.log_evidence; }

std::vector<ToyProfile> ToyFit::profiles(int points) const {
  const State& s = *state_;
  std::vector<ToyProfile> result;
  const auto& hyper = s.problem->hyper;
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    const double centre = s.fit.theta[static_cast<Index>(i)];
    ToyProfile profile{hyper[i].name,
                       {},
                       {},
                       hyper[i].to_value(centre),
                       s.fit.log_evidence,
                       hyper[i].coordinate != Coordinate::identity};
    for (int k = 0; k < points; ++k) {
      Vector theta = s.fit.theta;
      theta[static_cast<Index>(i)] = centre + 1.5 * (2.0 * k / (points - 1) - 1);
      profile.value.push_back(hyper[i].to_value(theta[static_cast<Index>(i)]));
      profile.log_evidence.push_back(linkgistic::log_evidence(*s.problem, theta, s.fit, s.options));
    }
    result.push_back(std::move(profile));
  }
  return result;
}

}  // namespace linkgistic::repro

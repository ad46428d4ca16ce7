#include "regression/mean_curve.hpp"

#include <algorithm>
#include <cmath>

#include <linkgistic/error.hpp>

#include "numeric/logistic.hpp"
#include "text/print_number.hpp"

namespace linkgistic {

double fit_value_of_mean(const FittedRegressionState& s, double level) {
  const auto refuse = [level](const char* rule) {
    throw UsageError("level = " + shortest(level) + ": a mean must be " + rule);
  };
  if (!std::isfinite(level)) refuse("finite");
  if (s.response->has_units()) return (level - s.scaling.y_shift) / s.scaling.y_scale;
  if (s.response->link() == Link::logit) {
    const auto [lower, upper] = s.response->mean_range(s.eta());
    if (!(level > lower && level < upper)) {
      const std::string rule =
          "between " + shortest(lower) + " and " + shortest(upper) + " for this response";
      refuse(rule.c_str());
    }
    return std::log((level - lower) / (upper - level)) - s.scaling.y_shift;
  }
  if (!(level > 0)) refuse("positive for this response");
  return std::log(level) - s.scaling.y_shift;
}

MeanCurve::MeanCurve(const FittedRegressionState& state)
    : state_(state),
      link_(state.response->link()),
      range_(state.response->mean_range(state.eta())),
      shift_(state.response->has_units() ? 0 : state.scaling.y_shift) {}

MeanCurve::Link3 MeanCurve::at(double nu) const {
  if (link_ == Link::identity) return {nu, 1, 0};
  const double z = nu + shift_;
  if (link_ == Link::log) return {std::exp(z), std::exp(z), std::exp(z)};
  const double p = sigmoid(z), q = sigmoid(-z);
  const double width = range_.upper - range_.lower;
  return {range_.lower + width * p, width * p * q, width * p * q * (q - p)};
}

Vector MeanCurve::values(const std::vector<double>& t, const Vector& kappa) const {
  Vector m = state_.source.features->values(t, kappa, state_.options.threads);
  for (double& value : m) value = at(value).value;
  return m;
}

Matrix MeanCurve::gradients(const std::vector<double>& t, const Vector& kappa) const {
  Matrix phi(kappa.size(), static_cast<Index>(t.size()));
  for (Index i = 0; i < phi.cols(); ++i) {
    state_.source.features->evaluate(t[static_cast<std::size_t>(i)], phi.col(i));
    phi.col(i) *= at(phi.col(i).dot(kappa)).first;
  }
  return phi;
}

// d/dt m(nu) = m' nu'; its gradient m'' nu' Phi + m' Phi'.
MeanCurve::Slope MeanCurve::slope(double t, const Vector& kappa) const {
  const Vector phi = state_.source.features->at(t);
  Vector derivative(phi.size());
  state_.source.features->derivative(t, derivative);
  const Link3 m = at(phi.dot(kappa));
  const double along = derivative.dot(kappa);
  return {m.first * along, m.second * along * phi + m.first * derivative};
}

BandVariance::BandVariance(const FittedRegressionState& state) : state_(state) {
  const auto* gaussian = dynamic_cast<const GaussianPosterior*>(state.posterior.get());
  if (gaussian != nullptr && gaussian->point_estimate() == "mode")
    laplace_ = gaussian->source_covariance(*state.source.map);
}

double BandVariance::operator()(const Vector& d) const {
  if (!laplace_) return std::max(state_.posterior->variance(*state_.source.map, d), 0.0);
  const double linear = d.dot(laplace_->linear * d);
  return std::max({linear, state_.source.basis ? d.dot(laplace_->quadratic * d) : 0.0, 0.0});
}

Vector prior_pull(const FittedRegressionState& state) {
  const QuadraticMap& map = *state.source.map;
  const auto* gaussian = dynamic_cast<const GaussianPosterior*>(state.posterior.get());
  if (gaussian == nullptr || gaussian->point_estimate() != "mode") return Vector::Zero(map.outputs());
  const GaussianPrior& prior = state.source.prior;
  const auto free = prior.free_coordinates();
  const Vector& g = gaussian->estimate();
  Vector pull = Vector::Zero(g.size());
  pull(free) = Vector(prior.log_precision(free)).array().exp() * (prior.mean - g)(free).array();
  return map.jacobian(g) * (gaussian->factor() * (gaussian->factor().transpose() * pull));
}

}  // namespace linkgistic

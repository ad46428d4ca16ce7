#include "response/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numeric/normal.hpp"
#include "response/responses.hpp"

namespace linkgistic {

std::vector<HyperParameter> GaussianResponse::hyper_parameters() const {
  return {{.name = "noise",
           .coordinate = Coordinate::log,
           .start = precision,
           .lower = least_precision,
           .upper = most_precision,
           .prior_mean = std::log(precision),
           .prior_sd = precision_sd,
           .unit = {0, 1},
           .reading = Reading::deviation,
           .meaning = "standard deviation of {y} around the curve",
           .is_scale = true}};
}

LogDensity GaussianResponse::at(double y, double nu, const Vector& eta) const {
  const double alpha = std::exp(eta[0]);
  const double r = y - nu;
  return {(eta[0] - std::log(2 * std::numbers::pi) - alpha * r * r) / 2, alpha * r, -alpha, 0};
}

LogDensity GaussianResponse::hyper_derivative(double y, double nu, const Vector& eta, Index) const {
  const double alpha = std::exp(eta[0]);
  const double r = y - nu;
  return {(1 - alpha * r * r) / 2, alpha * r, -alpha, 0};
}

std::optional<QuadraticDensity> GaussianResponse::quadratic_bound(double y, double, const Vector& eta) const {
  const double alpha = std::exp(eta[0]);
  return QuadraticDensity{(eta[0] - std::log(2 * std::numbers::pi) - alpha * y * y) / 2, alpha * y, alpha};
}

QuadraticDensity GaussianResponse::quadratic_bound_derivative(double y, const Vector& eta, Index) const {
  const double alpha = std::exp(eta[0]);
  return {(1 - alpha * y * y) / 2, alpha * y, alpha};
}

bool GaussianResponse::is_valid(double y) const { return std::isfinite(y); }

double GaussianResponse::noise(const Vector& eta) { return std::exp(-eta[0] / 2); }

Vector GaussianResponse::noises(const Matrix& eta) { return (-eta.row(0).transpose() / 2).array().exp(); }

double GaussianResponse::probability_below(double y, double nu, const Vector& eta) const {
  return normal_cdf((y - nu) / noise(eta));
}

double GaussianResponse::quantile(double level, double nu, const Vector& eta) const {
  return nu + normal_quantile(level) * noise(eta);
}

Vector GaussianResponse::normal_quantiles(double level, const Vector& mean, const Vector& variance,
                                          const Vector& eta) const {
  const double sd = noise(eta);
  return mean + normal_quantile(level) * (variance.array() + sd * sd).sqrt().matrix();
}

// The y with mean over s of Phi((y - nu_s)/sd_s) = level: Newton's method, kept within a bracket.
double GaussianResponse::mixture_quantile(double level, const Vector& nu, const Matrix& eta) const {
  const Vector sd = noises(eta);
  const double mean = nu.mean();
  const double variance = (nu.array() - mean).square().mean() + sd.squaredNorm() / double(sd.size());
  const double spread = std::sqrt(variance);
  if (!std::isfinite(mean) || !std::isfinite(spread)) return std::nan("");
  const double z = normal_quantile(level);
  double lower = (nu + z * sd).minCoeff();
  double upper = (nu + z * sd).maxCoeff();
  double y = std::clamp(mean + z * spread, lower, upper);
  for (int i = 0; i < 60 && upper - lower > 1e-9 * spread; ++i) {
    const Eigen::ArrayXd standard = (y - nu.array()) / sd.array();
    double below = 0;
    for (const double s : standard) below += normal_cdf(s);
    below /= static_cast<double>(standard.size());
    const double density =
        ((-standard.square() / 2).exp() / sd.array()).mean() / std::sqrt(2 * std::numbers::pi);
    (below < level ? lower : upper) = y;
    const double step = (level - below) / density;
    if (std::abs(step) <= 1e-7 * spread) return std::clamp(y + step, lower, upper);
    y = y + step > lower && y + step < upper ? y + step : (lower + upper) / 2;
  }
  return y;
}

double GaussianResponse::saturated(double, const Vector& eta) const {
  return (eta[0] - std::log(2 * std::numbers::pi)) / 2;
}

std::shared_ptr<const Response> make_gaussian_response() { return std::make_shared<GaussianResponse>(); }

}  // namespace linkgistic

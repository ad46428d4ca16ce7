// Amounts y > 0 with mean mu = e^nu and variance mu^2/s, s the shape: with r = y/mu
//   l = s log s - s - log Gamma(s) - log y + s (1 + log r - r);  l' = s (r - 1),  l'' = -s r,  l''' = s r.
// An exposure E makes the mean E e^nu: y/E in place of y in r.
#include <cmath>
#include <memory>
#include <numbers>

#include "numeric/normal.hpp"
#include "numeric/special.hpp"
#include "response/location_quantiles.hpp"
#include "response/summed_response.hpp"

namespace linkgistic {
namespace {

// s log s - s - log Gamma(s) and log s - digamma(s), by Stirling's series where the terms would cancel.
SummedResponse::Normaliser shape_terms(double s) {
  if (s < 20) return {s * std::log(s) - s - std::lgamma(s), std::log(s) - digamma(s)};
  const double i = 1 / s, i2 = i * i;
  return {std::log(s / (2 * std::numbers::pi)) / 2 - i * (1 / 12.0 - i2 * (1 / 360.0 - i2 / 1260)),
          i / 2 + i2 * (1 / 12.0 - i2 * (1 / 120.0 - i2 / 252))};
}

class GammaResponse final : public SummedResponse {
 public:
  [[nodiscard]] std::string_view name() const override { return "gamma"; }
  [[nodiscard]] Link link() const override { return Link::log; }
  [[nodiscard]] bool takes_exposure() const override { return true; }
  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override {
    constexpr double start = 2;
    return {{.name = "shape",
             .coordinate = Coordinate::log,
             .start = start,
             .lower = 1e-3,
             .upper = 1e8,
             .prior_mean = std::log(start),
             .prior_sd = 2,
             .meaning = "shape of {y}: its standard deviation is the mean divided by the root of this",
             .is_scale = true}};
  }
  using SummedResponse::measures;
  [[nodiscard]] RowMeasures measures(double y, double exposure, double) const override {
    return {1, y / exposure, -std::log(y), 1 + std::log(y / exposure)};
  }
  [[nodiscard]] double sign() const override { return -1; }
  [[nodiscard]] LogDensity partition(double z) const override {
    const double e = std::exp(-z);
    return {e, -e, e, -e};
  }
  [[nodiscard]] Normaliser normaliser(const Vector& eta) const override {
    const double s = scale(eta);
    const Normaliser terms = shape_terms(s);
    return {terms.value, s * terms.slope};
  }
  [[nodiscard]] double centre(double a, double b) const override { return std::log(b / a); }

  [[nodiscard]] bool is_valid(double y) const override { return y > 0 && std::isfinite(y); }
  [[nodiscard]] std::string_view rule() const override { return "positive"; }
  [[nodiscard]] double mean(double nu, const Vector&) const override { return std::exp(nu); }
  [[nodiscard]] double probability_below(double y, double nu, const Vector& eta) const override {
    const double s = scale(eta);
    return y <= 0 ? 0 : gamma_share(s, s * y * std::exp(-nu));
  }
  /// Of r: halving its logarithm within what E. Wilson and M. Hilferty's cube leaves no doubt about.
  [[nodiscard]] double quantile(double level, double nu, const Vector& eta) const override {
    const double s = scale(eta);
    const double root = 1 - 1 / (9 * s) + normal_quantile(level) / (3 * std::sqrt(s));
    const double guess =
        root > 0.1 ? 3 * std::log(root) : (std::log(level) + std::lgamma(s + 1)) / s - std::log(s);
    double lower = guess, upper = guess;
    for (double step = 0.01; gamma_share(s, s * std::exp(lower)) > level && lower > -745; step *= 2)
      lower -= step;
    for (double step = 0.01; gamma_share(s, s * std::exp(upper)) < level && upper < 700; step *= 2)
      upper += step;
    while (upper - lower > 1e-13 * (1 + std::abs(upper))) {
      const double middle = (lower + upper) / 2;
      (gamma_share(s, s * std::exp(middle)) < level ? lower : upper) = middle;
    }
    return std::exp(nu + upper);
  }
  /// log y - E nu has a law of the deviation of nu alone.
  [[nodiscard]] Vector normal_quantiles(double level, const Vector& mean, const Vector& variance,
                                        const Vector& eta) const override {
    const auto about_zero = [&](double sd) {
      return std::log(
          Response::normal_quantiles(level, Vector::Zero(1), Vector::Constant(1, sd * sd), eta)[0]);
    };
    return (mean + smooth_in_deviation(variance.cwiseSqrt(), about_zero)).array().exp();
  }
  [[nodiscard]] double saturated(double y, const Vector& eta) const override {
    return normaliser(eta).value - std::log(y);
  }
};

}  // namespace

std::shared_ptr<const Response> make_gamma_response() { return std::make_shared<GammaResponse>(); }

}  // namespace linkgistic

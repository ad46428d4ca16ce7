// Counts y with mean mu = e^nu and variance mu + phi mu^2, phi the dispersion. With r = 1/phi, p = phi mu/(1
// + phi mu) and v = p (1 - p)
//   l = sum_{j<y} log(1 + j phi) - log y! + y nu - (y + r) log(1 + phi mu);
//   l' = y - (y + r) p,  l'' = -(y + r) v,  l''' = -(y + r) v (1 - 2p).
// In eta = log phi: dr = -r, dp = v, and the derivatives of l, l' and l'' are sum_{j<y} j phi/(1 + j phi)
// + r log(1 + phi mu) - (y + r) p,  r p - (y + r) v,  r v - (y + r) v (1 - 2p).
#include <cmath>
#include <memory>

#include "numeric/logistic.hpp"
#include "numeric/normal.hpp"
#include "numeric/special.hpp"
#include "response/response.hpp"

namespace linkgistic {
namespace {

constexpr double summed_one_by_one = 64;

class NegativeBinomialResponse final : public Response {
 public:
  [[nodiscard]] std::string_view name() const override { return "negative-binomial"; }
  [[nodiscard]] Link link() const override { return Link::log; }
  [[nodiscard]] bool takes_exposure() const override { return true; }
  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override {
    constexpr double start = 0.3;
    return {
        {.name = "dispersion",
         .coordinate = Coordinate::log,
         .start = start,
         .lower = 1e-4,
         .upper = 1e3,
         .prior_mean = std::log(start),
         .prior_sd = 2,
         .meaning =
             "dispersion of {y}: its variance is mean + dispersion mean^2, near 0 that of Poisson counts"}};
  }
  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override {
    const double r = std::exp(-eta[0]), p = sigmoid(nu + eta[0]), q = sigmoid(-nu - eta[0]), v = p * q;
    return {rising(y, r) - log_factorial(y) + (y > 0 ? y * nu : 0) - (y + r) * softplus(nu + eta[0]),
            y * q - r * p, -(y + r) * v, -(y + r) * v * (q - p)};
  }
  [[nodiscard]] LogDensity hyper_derivative(double y, double nu, const Vector& eta, Index) const override {
    const double r = std::exp(-eta[0]), p = sigmoid(nu + eta[0]), q = sigmoid(-nu - eta[0]), v = p * q;
    return {rising_slope(y, r) + r * softplus(nu + eta[0]) - (y + r) * p, r * p - (y + r) * v,
            r * v - (y + r) * v * (q - p), 0};
  }

  [[nodiscard]] bool is_valid(double y) const override {
    return y >= 0 && std::isfinite(y) && y == std::floor(y);
  }
  [[nodiscard]] std::string_view rule() const override { return "a count: 0, 1, 2, ..."; }
  [[nodiscard]] bool is_whole() const override { return true; }
  [[nodiscard]] double mean(double nu, const Vector&) const override { return std::exp(nu); }
  /// I_{1-p}(r, k + 1).
  [[nodiscard]] double probability_below(double y, double nu, const Vector& eta) const override {
    const double k = std::floor(y);
    if (k < 0 || std::isinf(std::exp(nu))) return 0;
    return beta_share(std::exp(-eta[0]), k + 1, sigmoid(-nu - eta[0]));
  }
  [[nodiscard]] double quantile(double level, double nu, const Vector& eta) const override {
    const double rate = std::exp(nu);
    if (!(rate < 1e15)) return rate;
    const double spread = std::sqrt(rate + rate * rate * std::exp(eta[0]));
    return least_count(level, std::floor(rate + normal_quantile(level) * spread),
                       [&](double k) { return probability_below(k, nu, eta); });
  }
  /// The mean that is the count.
  [[nodiscard]] double saturated(double y, const Vector& eta) const override {
    return y > 0 ? at(y, std::log(y), eta).value : 0;
  }

 private:
  // sum_{j<y} log(1 + j/r).
  static double rising(double y, double r) {
    if (y > summed_one_by_one) return std::lgamma(y + r) - std::lgamma(r) - y * std::log(r);
    double product = 1;
    double sum = 0;
    for (double j = 1; j < y; ++j) {
      product *= 1 + j / r;
      if (product > 1e200) {
        sum += std::log(product);
        product = 1;
      }
    }
    return sum + std::log(product);
  }
  // sum_{j<y} (j/r)/(1 + j/r).
  static double rising_slope(double y, double r) {
    if (y > summed_one_by_one) return y - r * (digamma(y + r) - digamma(r));
    double sum = 0;
    for (double j = 1; j < y; ++j) sum += j / (r + j);
    return sum;
  }
};

}  // namespace

std::shared_ptr<const Response> make_negative_binomial_response() {
  return std::make_shared<NegativeBinomialResponse>();
}

}  // namespace linkgistic

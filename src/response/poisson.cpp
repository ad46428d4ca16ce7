// Counts y in {0, 1, 2, ...} with rate e^nu: l = y nu - e^nu - log y!;  l' = y - e^nu,  l'' = l''' = -e^nu.
// With an exposure E the rate is E e^nu, and l = y nu - E e^nu + y log E - log y!.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "numeric/normal.hpp"
#include "numeric/special.hpp"
#include "response/summed_response.hpp"

namespace linkgistic {
namespace {

class PoissonResponse final : public SummedResponse {
 public:
  [[nodiscard]] std::string_view name() const override { return "poisson"; }
  [[nodiscard]] Link link() const override { return Link::log; }
  [[nodiscard]] bool takes_exposure() const override { return true; }
  using SummedResponse::measures;
  [[nodiscard]] RowMeasures measures(double y, double exposure, double) const override {
    return {y, exposure, (exposure == 1 || y == 0 ? 0 : y * std::log(exposure)) - log_factorial(y), 0};
  }
  [[nodiscard]] LogDensity partition(double z) const override {
    const double rate = std::exp(z);
    return {rate, rate, rate, rate};
  }
  /// No count at all is as half of one.
  [[nodiscard]] double centre(double a, double b) const override { return std::log(std::fmax(a, 0.5) / b); }

  [[nodiscard]] bool is_valid(double y) const override {
    return y >= 0 && std::isfinite(y) && y == std::floor(y);
  }
  [[nodiscard]] std::string_view rule() const override { return "a count: 0, 1, 2, ..."; }
  [[nodiscard]] bool is_whole() const override { return true; }
  [[nodiscard]] double mean(double nu, const Vector&) const override { return std::exp(nu); }

  /// The smaller tail, from its largest term outwards: the terms fall faster than any geometric series.
  [[nodiscard]] double probability_below(double y, double nu, const Vector& eta) const override {
    const double k = std::floor(y);
    const double rate = std::exp(nu);
    if (k < 0 || std::isinf(rate)) return 0;
    if (rate > many) return normal_share(k, rate);
    const bool lower = k < rate;
    double count = lower ? k : k + 1;
    double term = std::exp(at(count, nu, eta).value);
    double sum = 0;
    while (term > 1e-17 * sum) {
      sum += term;
      if (lower && count == 0) break;
      term *= lower ? count / rate : rate / (count + 1);
      count += lower ? -1 : 1;
    }
    return lower ? sum : 1 - sum;
  }

  /// From the normal approximation with its skewness corrected.
  [[nodiscard]] double quantile(double level, double nu, const Vector& eta) const override {
    const double rate = std::exp(nu);
    const double z = normal_quantile(level);
    if (std::isinf(rate)) return rate;
    if (rate >= 1e15)
      return rate + z * std::sqrt(rate);  // whole numbers end where doubles have no room for them
    return least_count(level, std::floor(rate + z * std::sqrt(rate) + (z * z - 1) / 6),
                       [&](double k) { return probability_below(k, nu, eta); });
  }

  [[nodiscard]] double saturated(double y, const Vector&) const override {
    return y > 0 ? y * std::log(y) - y - log_factorial(y) : 0;
  }

 private:
  // The sum of a tail has some ten times sqrt(rate) terms; beyond this rate an expansion is as good.
  static constexpr double many = 1e6;

  // P(count <= k) by Edgeworth's expansion about the normal law with a correction for whole numbers. At rates
  // from 10^6 on its error is below 1e-10.
  static double normal_share(double k, double rate) {
    const double s = std::sqrt(rate);
    const double x = (k + 0.5 - rate) / s;
    const double x2 = x * x;
    const double density = std::exp(-x2 / 2) / std::sqrt(2 * std::numbers::pi);
    const double terms = (x2 - 1) / (6 * s) + x * (x2 * x2 - 7 * x2 + 3) / (72 * rate);
    return std::clamp(normal_cdf(x) - (density > 0 ? density * terms : 0), 0.0, 1.0);
  }
};

}  // namespace

std::shared_ptr<const Response> make_poisson_response() { return std::make_shared<PoissonResponse>(); }

}  // namespace linkgistic

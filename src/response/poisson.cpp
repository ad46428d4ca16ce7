// Counts y in {0, 1, 2, ...} with rate e^nu: l = y nu - e^nu - log y!;  l' = y - e^nu,  l'' = l''' = -e^nu.
#include <cmath>
#include <memory>

#include "numeric/normal.hpp"
#include "response/response.hpp"

namespace linkgistic {
namespace {

class PoissonResponse final : public Response {
 public:
  [[nodiscard]] std::string_view name() const override { return "poisson"; }
  [[nodiscard]] LogDensity at(double y, double nu, const Vector&) const override {
    const double rate = std::exp(nu);
    return {y * nu - rate - std::lgamma(y + 1), y - rate, -rate, -rate};
  }

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

  /// From the normal approximation with its skewness corrected, a few counts up or down.
  [[nodiscard]] double quantile(double level, double nu, const Vector& eta) const override {
    const double rate = std::exp(nu);
    if (std::isinf(rate)) return rate;
    const double z = normal_quantile(level);
    double k = std::fmax(0, std::floor(rate + z * std::sqrt(rate) + (z * z - 1) / 6));
    while (k > 0 && probability_below(k - 1, nu, eta) >= level) --k;
    while (probability_below(k, nu, eta) < level) ++k;
    return k;
  }

  [[nodiscard]] double saturated(double y, const Vector&) const override {
    return y > 0 ? y * std::log(y) - y - std::lgamma(y + 1) : 0;
  }
};

}  // namespace

std::shared_ptr<const Response> make_poisson_response() { return std::make_shared<PoissonResponse>(); }

}  // namespace linkgistic

// The number y of successes in m trials, nu the log odds of one: l = y nu - m log(1 + e^nu) + log (m over y).
// One trial is a label y in {0, 1}.
#include <cmath>
#include <memory>

#include "numeric/logistic.hpp"
#include "numeric/normal.hpp"
#include "numeric/special.hpp"
#include "response/bernoulli.hpp"
#include "response/responses.hpp"
#include "response/summed_response.hpp"

namespace linkgistic {
namespace {

class BinomialResponse final : public SummedResponse {
 public:
  BinomialResponse(double trials, bool labels) : trials_(trials), labels_(labels) {}
  [[nodiscard]] std::string_view name() const override { return labels_ ? "bernoulli" : "binomial"; }
  [[nodiscard]] Link link() const override { return Link::logit; }
  [[nodiscard]] bool takes_trials() const override { return !labels_; }
  [[nodiscard]] RowMeasures measures(double y, double, double trials) const override {
    const double ways =
        trials == 1 ? 0 : log_factorial(trials) - log_factorial(y) - log_factorial(trials - y);
    return {y, trials, ways, 0};
  }
  [[nodiscard]] LogDensity partition(double z) const override {
    const LogDensity none = one_.at(0, z, {});  // log(1 - p)
    return {-none.value, -none.first, -none.second, -none.third};
  }
  /// All of one kind are as half of one of the other.
  [[nodiscard]] double centre(double a, double b) const override {
    return std::log(std::fmax(a, 0.5) / std::fmax(b - a, 0.5));
  }
  [[nodiscard]] std::optional<QuadraticDensity> quadratic_bound(double y, double square,
                                                                const Vector& eta) const override {
    auto bound = one_.quadratic_bound(0, square, eta);
    const double ways = measures(y).constant;
    return QuadraticDensity{trials_ * bound->constant + ways, y + trials_ * bound->linear,
                            trials_ * bound->precision};
  }

  [[nodiscard]] bool is_valid(double y) const override {
    return labels_ ? y == 0 || y == 1 : y >= 0 && std::isfinite(y) && y == std::floor(y);
  }
  [[nodiscard]] std::string_view rule() const override {
    return labels_ ? "0 or 1" : "a number of successes: 0, 1, 2, ...";
  }
  [[nodiscard]] bool is_whole() const override { return true; }
  /// The share of successes.
  [[nodiscard]] double mean(double nu, const Vector&) const override { return sigmoid(nu); }
  /// I_{1-p}(m - k, k + 1).
  [[nodiscard]] double probability_below(double y, double nu, const Vector&) const override {
    const double k = std::floor(y);
    return k < 0 ? 0 : k >= trials_ ? 1 : beta_share(trials_ - k, k + 1, sigmoid(-nu));
  }
  [[nodiscard]] double quantile(double level, double nu, const Vector& eta) const override {
    const double p = sigmoid(nu), spread = std::sqrt(trials_ * p * sigmoid(-nu));
    const double guess = std::floor(trials_ * p + normal_quantile(level) * spread);
    return least_count(level, std::fmin(guess, trials_),
                       [&](double k) { return probability_below(k, nu, eta); });
  }
  [[nodiscard]] double saturated(double y, const Vector&) const override {
    const auto part = [this](double k) { return k > 0 ? k * std::log(k / trials_) : 0; };
    return part(y) + part(trials_ - y) + measures(y).constant;
  }

 private:
  [[nodiscard]] RowMeasures measures(double y) const override { return measures(y, 1, trials_); }

  double trials_;
  bool labels_;
  BernoulliResponse one_;
};

}  // namespace

std::shared_ptr<const Response> make_binomial_response(double trials) {
  return std::make_shared<BinomialResponse>(trials, false);
}

std::shared_ptr<const Response> make_bernoulli_response() {
  return std::make_shared<BinomialResponse>(1, true);
}

}  // namespace linkgistic

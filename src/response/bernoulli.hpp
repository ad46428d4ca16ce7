// Labels y in {0, 1}. Bernoulli: nu are the log odds, l = y nu - log(1 + e^nu), p = 1/(1 + e^-nu);
// l' = y - p, l'' = -p (1-p), l''' = -p (1-p) (1-2p).
#pragma once

#include "response/response.hpp"

namespace linkgistic {

/// What all links of a label's probability share. A y between 0 and 1 counts as both labels, in shares y and
/// 1 - y.
class LabelResponse : public Response {
 public:
  [[nodiscard]] bool is_valid(double y) const final { return y >= 0 && y <= 1; }
  [[nodiscard]] std::string_view rule() const final { return "from 0 to 1"; }
  [[nodiscard]] bool is_whole() const final { return true; }
  [[nodiscard]] double probability_below(double y, double nu, const Vector& eta) const final;
  [[nodiscard]] double quantile(double level, double nu, const Vector& eta) const final;
  [[nodiscard]] double saturated(double y, const Vector& eta) const final;
};

class BernoulliResponse final : public LabelResponse {
 public:
  [[nodiscard]] std::string_view name() const override { return "bernoulli"; }
  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override;
  /// T. Jaakkola and M. Jordan, Bayesian parameter estimation via variational methods (2000), equation 10:
  /// log(1 + e^nu) <= nu/2 + log(2 cosh(z/2)) + lambda (nu^2 - z^2), lambda = tanh(z/2)/(4 z), z^2 = E nu^2.
  [[nodiscard]] std::optional<QuadraticDensity> quadratic_bound(double y, double square,
                                                                const Vector& eta) const override;
  [[nodiscard]] double mean(double nu, const Vector& eta) const override;
};

}  // namespace linkgistic

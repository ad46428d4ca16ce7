// y in {0, 1} with log odds nu: l = y nu - log(1 + e^nu), p = 1/(1 + e^-nu);
// l' = y - p, l'' = -p (1-p), l''' = -p (1-p) (1-2p).
#pragma once

#include "response/likelihood.hpp"

namespace linkgistic {

class BernoulliLikelihood final : public Likelihood {
 public:
  [[nodiscard]] std::string_view name() const override { return "bernoulli"; }
  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override;
  /// T. Jaakkola and M. Jordan, Bayesian parameter estimation via variational methods (2000), equation 10:
  /// log(1 + e^nu) <= nu/2 + log(2 cosh(z/2)) + lambda (nu^2 - z^2), lambda = tanh(z/2)/(4 z), z^2 = E nu^2.
  [[nodiscard]] std::optional<QuadraticDensity> quadratic_bound(double y, double square,
                                                                const Vector& eta) const override;
};

}  // namespace linkgistic

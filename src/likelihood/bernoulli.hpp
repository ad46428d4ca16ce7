// y in {0, 1} with log odds nu: l = y nu - log(1 + e^nu), p = 1/(1 + e^-nu);
// l' = y - p, l'' = -p (1-p), l''' = -p (1-p) (1-2p).
#pragma once

#include "likelihood/likelihood.hpp"

namespace linkgistic {

class BernoulliLikelihood final : public Likelihood {
 public:
  [[nodiscard]] std::string_view name() const override { return "bernoulli"; }
  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override;
};

}  // namespace linkgistic

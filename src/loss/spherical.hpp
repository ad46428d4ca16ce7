// Spherical loss: l(1, u) = 1 - u/n, l(0, u) = 1 - (1 - u)/n, n^2 = u^2 + (1 - u)^2; L = 1 - n, w = n^-3, psi
// in [-1, 1].
#pragma once

#include "loss/alpha.hpp"

namespace linkgistic {

/// Half of the alpha loss of order 2.
class SphericalLoss final : public AlphaLoss {
 public:
  explicit SphericalLoss(double tail = 0) : AlphaLoss(2.0, 0.5, tail) {}

 protected:
  [[nodiscard]] std::string bare_name() const override { return "spherical"; }
};

}  // namespace linkgistic

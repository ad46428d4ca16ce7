// Features made of Gaussian bumps exp(-p_k (x - m_k)^2), themselves or integrated from an origin:
// Phi = (1, [x - origin], bump_1, ...). The integral is sqrt(pi/p)/2 (erf(sqrt(p)(x - m)) -
// erf(sqrt(p)(origin - m))).
#pragma once

#include <optional>
#include <vector>

#include "prior/features.hpp"

namespace linkgistic {

struct Bump {
  double centre, precision;
};

class GaussianBumps final : public Features {
 public:
  /// Integrated from `origin` where there is one (then the linear feature is there too), else the bumps
  /// themselves.
  GaussianBumps(std::vector<Bump> bumps, std::optional<double> origin);

  [[nodiscard]] Index size() const override { return first_bump() + static_cast<Index>(bumps_.size()); }
  void evaluate(double x, VectorRef phi) const override;
  void derivative(double x, VectorRef phi) const override;
  [[nodiscard]] Index first_bump() const { return origin_ ? 2 : 1; }

 private:
  std::vector<Bump> bumps_;
  std::optional<double> origin_;
};

}  // namespace linkgistic

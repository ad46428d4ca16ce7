// A source whose coefficients are known: nu(t) = kappa . Phi(t) on a range, straight beyond it.
#pragma once

#include <memory>
#include <span>

#include "numeric/types.hpp"
#include "source/features.hpp"

namespace linkgistic {

class SourceCurve {
 public:
  SourceCurve(std::shared_ptr<const Features> features, Vector kappa, double lower = -1, double upper = 1);

  [[nodiscard]] Vector values(std::span<const double> t, int threads) const;

  /// nu and dnu/dt, which beyond the range is that of the nearer edge.
  struct Points {
    Vector value, slope;
  };
  [[nodiscard]] Points at(std::span<const double> t, int threads) const;

 private:
  std::shared_ptr<const Features> features_;
  Vector kappa_;
  double lower_, upper_;
};

}  // namespace linkgistic

// Log odds of probabilities that may be 0 or 1.
#pragma once

#include <cmath>

namespace linkgistic {

/// log p/(1-p) of p in [0, 1]; beyond the log odds of 1e-12 it grows like a logarithm, so that 0 and 1 are
/// finite and yet the least and the greatest.
inline double bounded_log_odds(double p) {
  static const double edge = std::log(1e12);
  constexpr double limit = 746;  // of the least positive number, one further
  double l = p == 0 ? -limit : p == 1 ? limit : std::log(p) - std::log1p(-p);
  if (std::abs(l) > edge) l = std::copysign(edge + std::log1p(std::abs(l) - edge), l);
  return l;
}

}  // namespace linkgistic

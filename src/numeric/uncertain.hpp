// Probabilities kept away from 0 and 1.
#pragma once

#include <algorithm>
#include <limits>

namespace linkgistic {

/// p, moved off 0 and 1: rounding must not make anything certain.
inline double uncertain(double p) {
  return std::clamp(p, std::numeric_limits<double>::min(), 1 - std::numeric_limits<double>::epsilon() / 2);
}

}  // namespace linkgistic

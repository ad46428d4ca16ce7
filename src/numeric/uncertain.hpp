// Probabilities kept off 0 and 1.
#pragma once

#include <algorithm>
#include <limits>

namespace linkgistic {

/// Neither 0 nor 1, else p: rounding makes nothing certain.
inline double uncertain(double p) {
  return std::clamp(p, std::numeric_limits<double>::min(), 1 - std::numeric_limits<double>::epsilon() / 2);
}

}  // namespace linkgistic

// The normal distribution function and its inverse.
#pragma once

#include <cmath>
#include <numbers>

namespace linkgistic {

inline double normal_cdf(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

/// The z with normal_cdf(z) = p, 0 < p < 1, to rounding: bisection, then Newton steps.
inline double normal_quantile(double p) {
  double lower = -39;
  double upper = 39;
  for (int i = 0; i < 30; ++i) {
    const double middle = (lower + upper) / 2;
    (normal_cdf(middle) < p ? lower : upper) = middle;
  }
  double z = (lower + upper) / 2;
  for (int i = 0; i < 3; ++i) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    if (density > 0) z -= (normal_cdf(z) - p) / density;
  }
  return z;
}

}  // namespace linkgistic

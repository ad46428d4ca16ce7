// The normal distribution function and its inverse.
#pragma once

#include <cmath>
#include <numbers>

namespace linkgistic {

inline double normal_cdf(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

/// The z with normal_cdf(z) = p, 0 < p < 1, to rounding: Newton steps from M. Abramowitz and I. Stegun,
/// Handbook of mathematical functions, 26.2.23, whose error is below 4.5e-4 and squared by each step.
inline double normal_quantile(double p) {
  const double tail = p < 0.5 ? p : 1 - p;
  const double t = std::sqrt(-2 * std::log(tail));
  double z =
      (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int i = 0; i < 3; ++i) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    if (density > 0) z -= (normal_cdf(z) - tail) / density;
  }
  return p < 0.5 ? z : -z;
}

}  // namespace linkgistic

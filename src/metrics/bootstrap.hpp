// Bootstrap intervals of numbers computed from weighted rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "numeric/quantile.hpp"

namespace linkgistic {

/// A value with a bootstrap interval.
struct Estimate {
  double value = 0;
  double lower = 0;
  double upper = 0;
};

/// Poisson(1) of a uniform number.
inline double poisson_count(double u) {
  double term = std::exp(-1.0);
  double sum = term;
  int k = 0;
  while (u > sum && k < 20) {
    term /= ++k;
    sum += term;
  }
  return k;
}

/// The basic interval [2 v - q_upper, 2 v - q_lower], clipped to [0, most]; NaN where there is none.
inline Estimate basic_interval(double value, std::vector<double> replicates, double level, double most) {
  std::erase_if(replicates, [](double r) { return !std::isfinite(r); });
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(value) || replicates.size() < 2) return {value, nan, nan};
  const auto clip = [most](double v) { return std::clamp(v, 0.0, most); };
  const double upper = clip(2 * value - quantile(replicates, (1 - level) / 2));
  return {value, clip(2 * value - quantile(replicates, (1 + level) / 2)), upper};
}

}  // namespace linkgistic

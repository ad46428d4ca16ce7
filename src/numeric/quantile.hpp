// The quantile of a sample: linear between the order statistics, the smallest at level 0, the largest at 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace linkgistic {

/// The values are reordered. At least one; 0 <= level <= 1.
inline double quantile(std::span<double> values, double level) {
  const double place = level * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(std::floor(place));
  const auto at = values.begin() + below;
  std::nth_element(values.begin(), at, values.end());
  const double share = place - static_cast<double>(below);
  if (!(share > 0)) return *at;
  return *at + share * (*std::min_element(at + 1, values.end()) - *at);
}

}  // namespace linkgistic

// The quantile of a sample: linear between the order statistics, the smallest at level 0, the largest at 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

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

/// The mode of a sample: the shortest stretch that holds half of the values, of that the shortest that holds
/// half of them, and so on (T. Robertson and J. Cryer, Journal of the American Statistical Association 69,
/// 1974). At least one value.
inline double half_sample_mode(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t first = 0, count = values.size();
  while (count > 2) {
    const std::size_t half = (count + 1) / 2;
    std::size_t best = first;
    for (std::size_t i = first; i + half <= first + count; ++i) {
      if (values[i + half - 1] - values[i] < values[best + half - 1] - values[best]) best = i;
    }
    first = best;
    count = half;
  }
  return (values[first] + values[first + count - 1]) / 2;
}

}  // namespace linkgistic

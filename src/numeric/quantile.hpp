// Quantiles and modes of a sample, and the levels of an interval's ends.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <linkgistic/error.hpp>

#include "text/print_number.hpp"

namespace linkgistic {

/// The levels of the ends of a central interval. UsageError where it holds nothing or everything.
inline std::array<double, 2> central_levels(double interval) {
  if (!(interval > 0 && interval < 1)) {
    throw UsageError("interval = " + shortest(interval) + ": it must be between 0 and 1");
  }
  return {(1 - interval) / 2, (1 + interval) / 2};
}

/// Where a level is among n sorted values, from 0 to n - 1. One more draw of the same law is below the k-th
/// smallest of n with probability k/(n + 1), so the place is that of k = (n + 1) level: the interval between
/// two levels holds the next draw with the probability that lies between them, as far as n values can.
inline double quantile_place(std::size_t n, double level) {
  const auto count = static_cast<double>(n);
  return std::clamp(level * (count + 1) - 1, 0.0, count - 1);
}

/// The value at a place from 0 to n - 1 among the sorted ones, straight between neighbours. The values are
/// reordered. At least one.
inline double order_statistic(std::span<double> values, double place) {
  const auto below = static_cast<std::ptrdiff_t>(std::floor(place));
  const auto at = values.begin() + below;
  std::nth_element(values.begin(), at, values.end());
  const double share = place - static_cast<double>(below);
  if (!(share > 0)) return *at;
  return *at + share * (*std::min_element(at + 1, values.end()) - *at);
}

/// The value at quantile_place, 0 <= level <= 1. The values are reordered. At least one.
inline double quantile(std::span<double> values, double level) {
  return order_statistic(values, quantile_place(values.size(), level));
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

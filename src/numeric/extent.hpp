// Least and greatest of many numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace linkgistic {

struct Extent {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();
  bool finite = true;  // every one; otherwise the ends mean nothing
};

/// Four numbers are compared side by side: one after the other each would wait for the one before.
inline Extent extent_of(std::span<const double> values) {
  constexpr std::size_t lanes = 4;
  std::array<double, lanes> lower, upper, zero{};
  const Extent none;
  lower.fill(none.lower);
  upper.fill(none.upper);
  std::size_t n = 0;
  const auto add = [&](std::size_t lane, double x) {
    lower[lane] = x < lower[lane] ? x : lower[lane];
    upper[lane] = x > upper[lane] ? x : upper[lane];
    zero[lane] += x - x;  // NaN for ever once x is not finite
  };
  for (; n + lanes <= values.size(); n += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, values[n + lane]);
  for (; n < values.size(); ++n) add(0, values[n]);
  return {*std::min_element(lower.begin(), lower.end()), *std::max_element(upper.begin(), upper.end()),
          zero[0] + zero[1] + zero[2] + zero[3] == 0};
}

}  // namespace linkgistic

// Which values of a long layer are drawn (the rule is stated in report/figure/figure.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace linkgistic {

constexpr std::size_t most_values_shown = 5000;

/// Indices, increasing, of the values of a curve to draw; `lower` and `upper` are the same vector for a line,
/// and drawn(i) says whether value i has a place.
std::vector<std::size_t> thin_curve(const std::vector<double>& lower, const std::vector<double>& upper,
                                    const std::function<bool(std::size_t)>& drawn);

/// Indices, increasing, of the points to draw.
std::vector<std::size_t> thin_points(const std::vector<double>& x, const std::vector<double>& y,
                                     const std::function<bool(std::size_t)>& drawn);

}  // namespace linkgistic

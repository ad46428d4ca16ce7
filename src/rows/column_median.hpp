// Medians of columns of dense rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace linkgistic {

/// With more rows than this, a median is that of this number of evenly spaced rows.
inline constexpr std::size_t median_rows = std::size_t{1} << 20;

/// The median of each of the `wanted` columns of row-major values, NaN left out (0 when nothing is left). A
/// few columns at a time, so that the values are read a few times and little of them is copied.
template <class T>
std::vector<double> column_medians(std::span<const T> values, std::size_t columns,
                                   std::span<const std::size_t> wanted);

}  // namespace linkgistic

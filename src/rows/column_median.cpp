#include "rows/column_median.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace linkgistic {
namespace {

constexpr std::size_t values_at_a_time = std::size_t{1} << 24;

template <class T>
double median_of(std::vector<T>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const auto upper = static_cast<double>(*middle);
  if (values.size() % 2 == 1) return upper;
  return (upper + static_cast<double>(*std::max_element(values.begin(), middle))) / 2;
}

}  // namespace

template <class T>
std::vector<double> column_medians(std::span<const T> values, std::size_t columns,
                                   std::span<const std::size_t> wanted) {
  const std::size_t rows = columns == 0 ? 0 : values.size() / columns;
  const std::size_t step = std::max<std::size_t>(1, (rows + median_rows - 1) / median_rows);
  const std::size_t used = (rows + step - 1) / step;
  const std::size_t together = std::max<std::size_t>(1, values_at_a_time / std::max<std::size_t>(used, 1));
  std::vector<double> medians;
  medians.reserve(wanted.size());
  for (std::size_t first = 0; first < wanted.size(); first += together) {
    const auto some = wanted.subspan(first, std::min(together, wanted.size() - first));
    std::vector<std::vector<T>> kept(some.size());
    for (auto& column : kept) column.reserve(used);
    for (std::size_t n = 0; n < rows; n += step) {
      for (std::size_t i = 0; i < some.size(); ++i) {
        const T value = values[n * columns + some[i]];
        if (!std::isnan(value)) kept[i].push_back(value);
      }
    }
    for (auto& column : kept) medians.push_back(median_of(column));
  }
  return medians;
}

template std::vector<double> column_medians(std::span<const float>, std::size_t,
                                            std::span<const std::size_t>);
template std::vector<double> column_medians(std::span<const std::uint8_t>, std::size_t,
                                            std::span<const std::size_t>);

}  // namespace linkgistic

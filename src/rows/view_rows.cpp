#include "rows/view_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

// A mean cannot carry smaller values beyond single precision.
constexpr double safe = std::numeric_limits<float>::max() / 2.0;

[[noreturn]] void refuse(const ViewRows<double>& view, std::uint64_t first_row) {
  for (std::size_t i = 0; i < view.rows; ++i) {
    for (std::size_t j = 0; j < view.columns; ++j) {
      const double value = view.row(i)[j * view.column_step];
      if (std::abs(value) <= safe) continue;
      throw InputError("row " + std::to_string(first_row + i + 1) + ", column " + std::to_string(j + 1) +
                       ": " + std::to_string(value) + " is not a finite single-precision number");
    }
  }
  throw InputError("the rows changed while they were read");
}

}  // namespace

SumNodes column_sums(const ViewRows<double>& rows, std::uint64_t first_row, int threads) {
  // A chunk is a complete subtree.
  constexpr std::size_t chunk_rows = 32 * sum_leaf_rows;
  const std::size_t chunks = (rows.rows + chunk_rows - 1) / chunk_rows;
  std::vector<SumNodes> parts(chunks);
  std::vector<char> good(chunks, 1);
  parallel_for(chunks, threads, [&](std::size_t c) {
    const std::size_t first = c * chunk_rows;
    bool all_safe = true;
    parts[c] = sums_of_rows(std::min(chunk_rows, rows.rows - first), (first_row + first) / sum_leaf_rows,
                            rows.columns, [&](std::size_t i, std::span<double> sum) {
                              const double* row = rows.row(first + i);
                              for (std::size_t j = 0; j < rows.columns; ++j) {
                                const double value = row[j * rows.column_step];
                                sum[j] += value;
                                all_safe = all_safe && std::abs(value) <= safe;  // false for NaN
                              }
                            });
    good[c] = all_safe ? 1 : 0;
  });
  if (std::find(good.begin(), good.end(), 0) != good.end()) refuse(rows, first_row);
  SumNodes nodes;
  for (SumNodes& part : parts)
    for (auto& node : part) nodes.push_back(std::move(node));
  return merged_sums(std::move(nodes));
}

ViewRows<double> about_means(ViewRows<double> rows, int threads) {
  rows.origin = total_sum(column_sums(rows, 0, threads), rows.columns);
  for (double& mean : rows.origin) mean /= static_cast<double>(std::max<std::size_t>(rows.rows, 1));
  return rows;
}

}  // namespace linkgistic

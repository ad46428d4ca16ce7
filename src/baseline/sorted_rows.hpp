// Rows (x, y, weight) in increasing order of x, each x once: what every isotonic fit starts from.
#pragma once

#include <vector>

#include <linkgistic/rows.hpp>

namespace linkgistic {

/// Distinct x in increasing order, with the weighted mean of y and the sum of the weights of the rows at
/// each.
struct SortedRows {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> weight;
};

/// Sorts, drops rows of weight 0 and merges rows of equal x. Throws InputError for lengths that differ,
/// values that are not finite, negative weights, and where no row has a positive weight.
SortedRows sort_rows(const RowBlock& rows, int threads = 0);

}  // namespace linkgistic

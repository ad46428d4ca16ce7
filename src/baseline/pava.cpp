#include "baseline/pava.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "baseline/sorted_rows.hpp"

namespace linkgistic {

PiecewiseLinear fit_isotonic(const RowBlock& rows, const IsotonicOptions& options) {
  SortedRows sorted = sort_rows(rows, options.threads);
  const double sign = options.increasing ? 1.0 : -1.0;
  if (!options.increasing)
    for (double& y : sorted.y) y = -y;
  std::vector<double> knots;
  std::vector<double> values;
  std::size_t first = 0;
  for (const PooledBlock& block : pool_adjacent(sorted.y, sorted.weight, options.threads)) {
    knots.push_back(sorted.x[first]);
    values.push_back(sign * block.mean);
    if (block.end - first > 1) {
      knots.push_back(sorted.x[block.end - 1]);
      values.push_back(sign * block.mean);
    }
    first = block.end;
  }
  return {std::move(knots), std::move(values)};
}

}  // namespace linkgistic

#include "baseline/check_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <linkgistic/error.hpp>

namespace linkgistic {

void check_rows(const RowBlock& rows) {
  const std::size_t n = rows.x.size();
  if (rows.y.size() != n || (!rows.weight.empty() && rows.weight.size() != n))
    throw InputError("x has " + std::to_string(n) + " rows, y " + std::to_string(rows.y.size()) +
                     ", weight " + std::to_string(rows.weight.size()));
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(rows.x[i])) throw InputError("x is not finite in row " + std::to_string(i + 1));
    if (!std::isfinite(rows.y[i])) throw InputError("y is not finite in row " + std::to_string(i + 1));
  }
  for (std::size_t i = 0; i < rows.weight.size(); ++i)
    if (!(std::isfinite(rows.weight[i]) && rows.weight[i] >= 0))
      throw InputError("weight is negative or not finite in row " + std::to_string(i + 1));
  const bool any_weight = rows.weight.empty() ||
                          std::any_of(rows.weight.begin(), rows.weight.end(), [](double w) { return w > 0; });
  if (n == 0 || !any_weight) throw InputError("no row has a positive weight");
}

}  // namespace linkgistic

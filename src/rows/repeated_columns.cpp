#include "rows/repeated_columns.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

template <class T>
CsrRows summed(const CsrRows& rows, const T* value) {
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  std::vector<double> sum;
  std::vector<std::size_t> place(rows.columns, 0);  // one beyond the column's entry, once it has one
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::size_t begin = sum.size();
    for (auto e = static_cast<std::size_t>(rows.row_start[i]);
         e < static_cast<std::size_t>(rows.row_start[i + 1]); ++e) {
      std::size_t& at = place[static_cast<std::size_t>(rows.column[e])];
      if (at > begin) {
        double& total = sum[at - 1];
        total += static_cast<double>(value[e]);
        if (!(std::abs(total) <= double{std::numeric_limits<float>::max()})) {
          throw InputError("sparse rows: row " + std::to_string(i + 1) + " has column " +
                           std::to_string(rows.column[e]) +
                           " more than once, and the sum is not a finite single-precision number");
        }
        continue;
      }
      column.push_back(rows.column[e]);
      sum.push_back(static_cast<double>(value[e]));
      at = sum.size();
    }
    start.push_back(static_cast<std::int64_t>(sum.size()));
  }
  std::vector<T> values(sum.begin(), sum.end());
  return {rows.rows, rows.columns, std::move(start), std::move(column), SharedSpan<T>(std::move(values))};
}

}  // namespace

bool has_repeated_columns(const CsrRows& rows) {
  std::vector<std::size_t> last;  // (columns): one beyond the last row that has the column
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::int32_t* first = rows.column.data() + rows.row_start[i];
    const std::int32_t* end = rows.column.data() + rows.row_start[i + 1];
    const bool increases = std::adjacent_find(first, end, std::greater_equal<>()) == end;
    if (increases) continue;
    if (last.empty()) last.resize(rows.columns);
    for (const std::int32_t* c = first; c < end; ++c) {
      std::size_t& row = last[static_cast<std::size_t>(*c)];
      if (row == i + 1) return true;
      row = i + 1;
    }
  }
  return false;
}

CsrRows with_repeated_columns_summed(const CsrRows& rows) {
  return rows.value.doubles() != nullptr ? summed(rows, rows.value.doubles())
                                         : summed(rows, rows.value.floats());
}

}  // namespace linkgistic

// A view of dense rows in the caller's memory, in any memory order, without a copy.
#pragma once

#include <cstddef>
#include <vector>

#include "io/shared_span.hpp"
#include "numeric/tree_sum.hpp"

namespace linkgistic {

/// Value (i, j) is values[i row_step + j column_step] - origin[j], the difference taken in double and then
/// rounded to single precision. An empty origin is zero.
template <class T>
struct ViewRows {
  std::size_t rows = 0;
  std::size_t columns = 0;
  SharedSpan<T> values;
  std::size_t row_step = 0;
  std::size_t column_step = 0;
  std::vector<double> origin;  // (columns) or empty

  [[nodiscard]] const T* row(std::size_t i) const { return values.data() + i * row_step; }
  [[nodiscard]] float at(std::size_t i, std::size_t j) const {
    return static_cast<float>(static_cast<double>(row(i)[j * column_step]) -
                              (origin.empty() ? 0.0 : origin[j]));
  }
};

/// The sums of the columns over rows that begin with row `first_row` of all, at the begin of a leaf. Throws
/// an InputError with row and column for a value that is not finite or too large.
SumNodes column_sums(const ViewRows<double>& rows, std::uint64_t first_row, int threads);

/// Double-precision rows about their column means, which saves the digits of a column whose mean is large
/// compared with its spread. Throws an InputError with row and column for a value that is not finite or too
/// large.
ViewRows<double> about_means(ViewRows<double> rows, int threads);

}  // namespace linkgistic

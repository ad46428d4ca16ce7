// Rows of features in their own storage: unsigned bytes, single precision, a view of the caller's numbers, or
// compressed sparse rows. They are never copied to double precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "io/shared_span.hpp"
#include "rows/sparse_values.hpp"
#include "rows/view_rows.hpp"

namespace linkgistic {

/// Dense rows, one after the other.
template <class T>
struct DenseRows {
  std::size_t rows = 0;
  std::size_t columns = 0;
  SharedSpan<T> values;  // (rows, columns), row-major

  [[nodiscard]] const T* row(std::size_t i) const { return values.data() + i * columns; }
  [[nodiscard]] T at(std::size_t i, std::size_t j) const { return row(i)[j]; }
};

/// Sparse rows: row i has the entries row_start[i] .. row_start[i+1]-1. Columns may stand in any order within
/// a row, each once (a RowMatrix sees to it).
struct CsrRows {
  std::size_t rows = 0;
  std::size_t columns = 0;
  SharedSpan<std::int64_t> row_start;  // (rows + 1)
  SharedSpan<std::int32_t> column;     // (entries)
  SparseValues value;                  // (entries)

  /// The value in one cell; slow.
  [[nodiscard]] double at(std::size_t i, std::size_t j) const;
};

/// visit(column, value) for the values of row i; of sparse rows, for its entries.
template <class Dense, class Visit>
void each_value(const Dense& rows, std::size_t i, const Visit& visit) {
  for (std::size_t j = 0; j < rows.columns; ++j) visit(j, rows.at(i, j));
}
template <class Visit>
void each_value(const CsrRows& rows, std::size_t i, const Visit& visit) {
  const auto end = static_cast<std::size_t>(rows.row_start[i + 1]);
  for (auto e = static_cast<std::size_t>(rows.row_start[i]); e < end; ++e)
    visit(static_cast<std::size_t>(rows.column[e]), rows.value[e]);
}

/// Any of the storages. Copies share the values.
class RowMatrix {
 public:
  using Storage =
      std::variant<DenseRows<std::uint8_t>, DenseRows<float>, CsrRows, ViewRows<float>, ViewRows<double>>;

  RowMatrix() = default;
  /// A sparse row's entries of one column are summed. InputError: sizes differ, a column is out of range.
  explicit RowMatrix(Storage storage);

  [[nodiscard]] const Storage& storage() const { return storage_; }
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] bool is_sparse() const { return std::holds_alternative<CsrRows>(storage_); }
  /// Stored values.
  [[nodiscard]] std::size_t entries() const;
  /// What one read of all values costs.
  [[nodiscard]] std::size_t bytes() const;
  /// The value in one cell; slow for sparse rows.
  [[nodiscard]] double at(std::size_t row, std::size_t column) const;

 private:
  Storage storage_ = DenseRows<float>{};
};

/// Single-precision rows of double-precision values (rows, columns), stored as value - origin[column], the
/// difference taken in double. An origin near the column's mean saves the digits of a column whose mean is
/// large compared with its spread. An empty origin is zero. Throws an InputError with row and column for a
/// value that is not finite or too large.
RowMatrix float_rows(std::span<const double> values, std::size_t rows, std::size_t columns,
                     std::span<const double> origin = {});

/// The given rows, in the given order and in the same storage (of a view: single precision).
RowMatrix take_rows(const RowMatrix& matrix, std::span<const std::size_t> which);

}  // namespace linkgistic

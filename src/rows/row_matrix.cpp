#include "rows/row_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <linkgistic/error.hpp>

#include "rows/repeated_columns.hpp"

namespace linkgistic {
namespace {

template <class T>
void check(const DenseRows<T>& dense) {
  if (dense.values.size() != dense.rows * dense.columns) {
    throw InputError("dense rows: " + std::to_string(dense.values.size()) + " values, expected " +
                     std::to_string(dense.rows) + " x " + std::to_string(dense.columns));
  }
}

template <class T>
void check(const ViewRows<T>& view) {
  const bool empty = view.rows == 0 || view.columns == 0;
  const std::size_t last =
      empty ? 0 : (view.rows - 1) * view.row_step + (view.columns - 1) * view.column_step;
  if ((!empty && last >= view.values.size()) ||
      (!view.origin.empty() && view.origin.size() != view.columns)) {
    throw InputError("dense rows: " + std::to_string(view.values.size()) + " values are too few for " +
                     std::to_string(view.rows) + " x " + std::to_string(view.columns));
  }
}

void check(const CsrRows& csr) {
  const auto start = csr.row_start.span();
  if (start.size() != csr.rows + 1 || start.front() != 0 || !std::is_sorted(start.begin(), start.end()) ||
      start.back() != static_cast<std::int64_t>(csr.value.size()) || csr.column.size() != csr.value.size()) {
    throw InputError("sparse rows: row starts, columns and values do not agree in size");
  }
  for (const std::int32_t column : csr.column.span()) {
    if (column < 0 || static_cast<std::size_t>(column) >= csr.columns) {
      throw InputError("sparse rows: column " + std::to_string(column) + " is outside 0 .. " +
                       std::to_string(csr.columns) + "-1");
    }
  }
}

template <class T>
RowMatrix take(const DenseRows<T>& dense, std::span<const std::size_t> which) {
  std::vector<T> values;
  values.reserve(which.size() * dense.columns);
  for (const std::size_t i : which) values.insert(values.end(), dense.row(i), dense.row(i) + dense.columns);
  return RowMatrix(DenseRows<T>{which.size(), dense.columns, std::move(values)});
}

template <class T>
RowMatrix take(const ViewRows<T>& view, std::span<const std::size_t> which) {
  std::vector<float> values;
  values.reserve(which.size() * view.columns);
  for (const std::size_t i : which)
    for (std::size_t j = 0; j < view.columns; ++j) values.push_back(view.at(i, j));
  return RowMatrix(DenseRows<float>{which.size(), view.columns, std::move(values)});
}

RowMatrix take(const CsrRows& csr, std::span<const std::size_t> which) {
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  std::vector<float> value;
  for (const std::size_t i : which) {
    const auto first = csr.row_start[i];
    const auto last = csr.row_start[i + 1];
    column.insert(column.end(), csr.column.data() + first, csr.column.data() + last);
    for (auto e = first; e < last; ++e) value.push_back(csr.value[static_cast<std::size_t>(e)]);
    start.push_back(static_cast<std::int64_t>(value.size()));
  }
  return RowMatrix(CsrRows{which.size(), csr.columns, std::move(start), std::move(column), std::move(value)});
}

std::size_t bytes_of(const CsrRows& csr) {
  return csr.value.bytes() + csr.value.size() * sizeof(std::int32_t) +
         csr.row_start.size() * sizeof(std::int64_t);
}

template <template <class> class Dense, class T>
std::size_t bytes_of(const Dense<T>& dense) {
  return dense.rows * dense.columns * sizeof(T);
}

}  // namespace

double CsrRows::at(std::size_t i, std::size_t j) const {
  double sum = 0;
  each_value(*this, i, [&](std::size_t k, float x) { sum += k == j ? static_cast<double>(x) : 0; });
  return sum;
}

RowMatrix::RowMatrix(Storage storage) : storage_(std::move(storage)) {
  std::visit([](const auto& s) { check(s); }, storage_);
  if (auto* csr = std::get_if<CsrRows>(&storage_); csr != nullptr && has_repeated_columns(*csr))
    *csr = with_repeated_columns_summed(*csr);
}

std::size_t RowMatrix::rows() const {
  return std::visit([](const auto& s) { return s.rows; }, storage_);
}

std::size_t RowMatrix::columns() const {
  return std::visit([](const auto& s) { return s.columns; }, storage_);
}

std::size_t RowMatrix::entries() const {
  if (const auto* csr = std::get_if<CsrRows>(&storage_)) return csr->value.size();
  return rows() * columns();
}

std::size_t RowMatrix::bytes() const {
  return std::visit([](const auto& s) { return bytes_of(s); }, storage_);
}

double RowMatrix::at(std::size_t row, std::size_t column) const {
  return std::visit([&](const auto& s) { return static_cast<double>(s.at(row, column)); }, storage_);
}

RowMatrix float_rows(std::span<const double> values, std::size_t rows, std::size_t columns,
                     std::span<const double> origin) {
  if (values.size() != rows * columns || (!origin.empty() && origin.size() != columns)) {
    throw InputError("dense rows: the number of values or origins is not rows x columns");
  }
  std::vector<float> stored(values.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = values[i * columns + j] - (origin.empty() ? 0.0 : origin[j]);
      if (!(std::abs(value) <= double{std::numeric_limits<float>::max()})) {
        throw InputError("row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1) + ": " +
                         std::to_string(values[i * columns + j]) +
                         " is not a finite single-precision number");
      }
      stored[i * columns + j] = static_cast<float>(value);
    }
  }
  return RowMatrix(DenseRows<float>{rows, columns, std::move(stored)});
}

RowMatrix take_rows(const RowMatrix& matrix, std::span<const std::size_t> which) {
  for (const std::size_t i : which) {
    if (i >= matrix.rows()) throw InputError("row " + std::to_string(i) + " is not among the rows");
  }
  return std::visit([&](const auto& s) { return take(s, which); }, matrix.storage());
}

}  // namespace linkgistic

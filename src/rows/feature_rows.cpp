#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <linkgistic/error.hpp>
#include <linkgistic/feature_rows.hpp>

#include "rows/row_matrix.hpp"

namespace linkgistic {

FeatureRows::FeatureRows() : matrix_(std::make_shared<const RowMatrix>()) {}

FeatureRows::FeatureRows(RowMatrix matrix, std::vector<double> origin)
    : matrix_(std::make_shared<const RowMatrix>(std::move(matrix))), origin_(std::move(origin)) {
  if (!origin_.empty() && origin_.size() != columns())
    throw InputError("origin: one value a column is expected");
}

FeatureRows FeatureRows::dense(std::span<const double> values, std::size_t rows, std::size_t columns) {
  if (values.size() != rows * columns) {
    throw InputError(std::to_string(values.size()) + " values for " + std::to_string(rows) + " rows of " +
                     std::to_string(columns) + " columns");
  }
  std::vector<double> origin(columns);
  for (std::size_t i = 0; i < values.size(); ++i)
    origin[i % columns] += values[i] / static_cast<double>(rows);
  // What is not finite is refused below, with its place.
  if (!std::all_of(origin.begin(), origin.end(), [](double x) { return std::isfinite(x); })) origin.clear();
  return FeatureRows(float_rows(values, rows, columns, origin), origin);
}

FeatureRows FeatureRows::dense(std::vector<float> values, std::size_t rows, std::size_t columns) {
  return FeatureRows(RowMatrix(DenseRows<float>{rows, columns, std::move(values)}));
}

FeatureRows FeatureRows::bytes(std::vector<std::uint8_t> values, std::size_t rows, std::size_t columns) {
  return FeatureRows(RowMatrix(DenseRows<std::uint8_t>{rows, columns, std::move(values)}));
}

FeatureRows FeatureRows::sparse(std::size_t rows, std::size_t columns, std::vector<std::int64_t> row_start,
                                std::vector<std::int32_t> column, std::vector<float> value) {
  return FeatureRows(
      RowMatrix(CsrRows{rows, columns, std::move(row_start), std::move(column), std::move(value)}));
}

std::size_t FeatureRows::rows() const { return matrix_->rows(); }
std::size_t FeatureRows::columns() const { return matrix_->columns(); }

}  // namespace linkgistic

#include "classification/scale.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include <linkgistic/error.hpp>

#include "rows/row_matrix.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// Values in memory that others hold may be anything.
[[noreturn]] void refuse_column(const RowMatrix& matrix, std::size_t column) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    const double value = matrix.at(i, column);
    if (std::isfinite(value)) continue;
    throw InputError("row " + std::to_string(i + 1) + ", column " + std::to_string(column + 1) + ": " +
                     shortest(value) + " is not a finite number");
  }
  throw InputError("column " + std::to_string(column + 1) + ": its values are too large");
}

// The greatest byte: 255 of images, 1 of indicators; 1 where all are 0.
double greatest(const DenseRows<std::uint8_t>& rows) {
  std::uint8_t most = 1;
  for (std::size_t i = 0; i < rows.rows && most < 255; ++i) {
    const std::uint8_t* row = rows.row(i);
    for (std::size_t j = 0; j < rows.columns; ++j) most = std::max(most, row[j]);
  }
  return most;
}

}  // namespace

ColumnScale feature_scale(const FeatureRows& rows, std::span<const float> weights,
                          const LinkgisticOptions& options) {
  const RowMatrix& matrix = rows.matrix();
  const auto* bytes = std::get_if<DenseRows<std::uint8_t>>(&matrix.storage());
  const bool on = options.standardize == Standardize::on ||
                  (options.standardize == Standardize::automatic && bytes == nullptr && !matrix.is_sparse());
  if (!on) return bytes != nullptr ? uniform_scale(matrix.columns(), 1.0 / greatest(*bytes)) : ColumnScale{};
  ColumnScale scale = standardizing_scale(matrix, weights, options.threads);
  for (std::size_t j = 0; j < matrix.columns(); ++j)
    if (!(std::isfinite(scale.shift_of(j)) && std::isfinite(scale.scale_of(j)))) refuse_column(matrix, j);
  for (std::size_t j = 0; j < rows.origin().size(); ++j) scale.shift[j] += rows.origin()[j];
  return scale;
}

}  // namespace linkgistic

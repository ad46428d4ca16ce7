// The features a model sees, z_j = (raw_j - shift_j) scale_j. The raw values are never rewritten: for
// coefficients beta of z, beta_0 + sum_j beta_j z_j = (beta_0 - sum_j beta_j scale_j shift_j) + sum_j (beta_j
// scale_j) raw_j.
#pragma once

#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include "rows/row_matrix.hpp"

namespace linkgistic {

/// Shift and scale per column; both empty is the identity.
struct ColumnScale {
  std::vector<double> shift;  // (columns) or empty: zero
  std::vector<double> scale;  // (columns) or empty: one

  auto fields() { return std::tie(shift, scale); }

  [[nodiscard]] double shift_of(std::size_t j) const { return shift.empty() ? 0.0 : shift[j]; }
  [[nodiscard]] double scale_of(std::size_t j) const { return scale.empty() ? 1.0 : scale[j]; }

  /// Coefficients (intercept first) of z to those of the raw values.
  [[nodiscard]] std::vector<double> to_raw(std::span<const double> beta) const;
  /// A gradient in raw coefficients to that in coefficients of z: g_j = (raw g_j - shift_j g_0) scale_j. In
  /// place.
  void gradient_from_raw(std::span<double> gradient) const;
  /// The same scale for rows that are stored about `origin` (empty: 0).
  [[nodiscard]] ColumnScale about(std::span<const double> origin) const;
};

/// raw * factor in every column (pixels: factor = 1/255).
ColumnScale uniform_scale(std::size_t columns, double factor);

/// Weighted mean and variance of the raw values of each column. Sums are in double, chunk by chunk.
struct ColumnMoments {
  std::vector<double> mean;
  std::vector<double> variance;  // exactly 0 for a constant column
};

/// The weights are 1 where they are empty.
ColumnMoments column_moments(const RowMatrix& rows, std::span<const float> weights, int threads);
/// A value of each column, so that sums about it are exactly 0 for a constant column: the first row, or 0 for
/// sparse rows.
std::vector<double> moment_pivot(const RowMatrix& rows);
/// From weighted sums of raw - pivot and its square.
ColumnMoments moments_about(std::span<const double> pivot, std::span<const double> first,
                            std::span<const double> second, double weight);

/// Mean 0 and variance 1. Sparse rows are scaled and not shifted. A column that is constant becomes 0 (dense:
/// scale 0) or is left alone (sparse).
ColumnScale standardizing_scale(const ColumnMoments& moments, bool sparse);

/// Rows and how to look at them.
struct RowView {
  RowMatrix rows;
  ColumnScale scale;
};

}  // namespace linkgistic

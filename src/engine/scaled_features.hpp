// The scaled features of one row in double precision: z_j = (raw_j - shift_j) scale_j.
#pragma once

#include "rows/column_scale.hpp"

namespace linkgistic {

template <class Dense>
void write_features(const Dense& rows, std::size_t i, const ColumnScale& scale, double* z) {
  for (std::size_t j = 0; j < rows.columns; ++j)
    z[j] = (static_cast<double>(rows.at(i, j)) - scale.shift_of(j)) * scale.scale_of(j);
}

inline void write_features(const CsrRows& rows, std::size_t i, const ColumnScale& scale, double* z) {
  for (std::size_t j = 0; j < rows.columns; ++j) z[j] = -scale.shift_of(j) * scale.scale_of(j);
  each_value(rows, i, [&](std::size_t j, auto x) { z[j] += static_cast<double>(x) * scale.scale_of(j); });
}

/// 1 for the intercept, then the features: D + 1 numbers.
inline void write_row(const RowMatrix& rows, std::size_t i, const ColumnScale& scale, double* z) {
  z[0] = 1;
  std::visit([&](const auto& storage) { write_features(storage, i, scale, z + 1); }, rows.storage());
}

}  // namespace linkgistic

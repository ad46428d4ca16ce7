// Matrices of a caller, who has them row by row or column by column.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "c_api/guard.hpp"

namespace linkgistic::c_api {

/// Size and layout of a matrix; a UsageError for a layout that there is not.
struct MatrixShape {
  std::size_t rows, columns;
  bool by_column;

  MatrixShape(std::size_t of_rows, std::size_t of_columns, int layout)
      : rows(of_rows), columns(of_columns), by_column(layout == LINKGISTIC_COLUMN_MAJOR) {
    if (layout != LINKGISTIC_ROW_MAJOR && layout != LINKGISTIC_COLUMN_MAJOR)
      throw UsageError("layout = " + std::to_string(layout) +
                       ": it must be LINKGISTIC_ROW_MAJOR or LINKGISTIC_COLUMN_MAJOR");
    if (columns > 0 && rows > std::numeric_limits<std::size_t>::max() / sizeof(double) / columns)
      throw UsageError("rows = " + std::to_string(rows) + ": no array has so many");
  }

  [[nodiscard]] std::size_t size() const { return rows * columns; }
  /// Where row i, column j is.
  [[nodiscard]] std::size_t at(std::size_t i, std::size_t j) const {
    return by_column ? j * rows + i : i * columns + j;
  }
};

/// A caller's matrix row by row: a view of it, or a copy in `room`.
inline std::span<const double> by_rows(const double* values, const MatrixShape& shape, const char* name,
                                       std::vector<double>& room) {
  const std::span<const double> given = values_of(values, shape.size(), name);
  if (!shape.by_column || shape.columns == 1) return given;
  room.resize(shape.size());
  for (std::size_t j = 0; j < shape.columns; ++j)
    for (std::size_t i = 0; i < shape.rows; ++i) room[i * shape.columns + j] = given[shape.at(i, j)];
  return room;
}

/// Writes a matrix, given row by row, where the caller wants it; nowhere if that is null.
inline void write_matrix(std::span<const double> values, const MatrixShape& shape, double* to) {
  if (to == nullptr) return;
  for (std::size_t i = 0; i < shape.rows; ++i)
    for (std::size_t j = 0; j < shape.columns; ++j) to[shape.at(i, j)] = values[i * shape.columns + j];
}

}  // namespace linkgistic::c_api

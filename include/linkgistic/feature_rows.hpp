// Rows of features in memory, kept as they came: bytes, single precision or compressed sparse rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <linkgistic/export.hpp>

namespace linkgistic {

class RowMatrix;

/// Immutable, so that several threads may read it at once. Copies share the values.
class LINKGISTIC_API FeatureRows {
 public:
  FeatureRows();
  /// Takes row-major values (rows, columns) and keeps them in single precision about the mean of each column.
  /// Throws an InputError with row and column for a value that is not finite.
  static FeatureRows dense(std::span<const double> values, std::size_t rows, std::size_t columns);
  static FeatureRows dense(std::vector<float> values, std::size_t rows, std::size_t columns);
  static FeatureRows bytes(std::vector<std::uint8_t> values, std::size_t rows, std::size_t columns);
  /// Row i has the entries row_start[i] .. row_start[i+1]-1.
  static FeatureRows sparse(std::size_t rows, std::size_t columns, std::vector<std::int64_t> row_start,
                            std::vector<std::int32_t> column, std::vector<float> value);
  /// Takes rows from one of the library's readers; the values are `matrix` + `origin` (empty: 0).
  explicit FeatureRows(RowMatrix matrix, std::vector<double> origin = {});

  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] const RowMatrix& matrix() const { return *matrix_; }
  [[nodiscard]] const std::vector<double>& origin() const { return origin_; }

 private:
  std::shared_ptr<const RowMatrix> matrix_;
  std::vector<double> origin_;
};

}  // namespace linkgistic

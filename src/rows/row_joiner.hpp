// Rows of several files put together in one storage.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "io/spill_buffer.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {

/// Dense rows of bytes or single precision with the same columns, or sparse rows, of which the widest counts.
/// One piece is taken as it is, without a copy; of more, those beyond the budget go to a temporary file.
class RowJoiner {
 public:
  explicit RowJoiner(std::size_t budget) : bytes_(budget), singles_(budget), entries_(budget) {}

  /// Adds the rows of the file `name`: an InputError if they have other columns than those before.
  void add(const std::string& name, RowMatrix rows);
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] RowMatrix take();

 private:
  void append(const RowMatrix& rows);

  std::string first_name_;
  std::optional<RowMatrix> first_;  // while it is alone
  std::size_t pieces_ = 0, rows_ = 0, columns_ = 0;
  SpillBuffer<std::uint8_t> bytes_;
  SpillBuffer<float> singles_;
  std::vector<std::int64_t> row_start_ = {0};
  SpillBuffer<std::int32_t> entries_;
};

}  // namespace linkgistic

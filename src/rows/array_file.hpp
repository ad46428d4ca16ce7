// NPY arrays that need no conversion: bytes, and finite numbers in single precision.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "io/byte_source.hpp"
#include "rows/row_matrix.hpp"
#include "table/npy_head.hpp"

namespace linkgistic {

/// The values of an array of this head as they lie in the file, mapped where that is possible.
class ArrayFile {
 public:
  /// `source` is open at its beginning.
  ArrayFile(const std::string& path, ByteSource& source, std::size_t budget);

  [[nodiscard]] const NpyHead& head() const { return head_; }
  [[nodiscard]] bool is_bytes() const;
  [[nodiscard]] bool is_single() const;
  /// Some columns of an array of bytes, all of them without a copy.
  [[nodiscard]] RowMatrix byte_rows(std::span<const std::size_t> columns);
  /// One column of an array of bytes.
  [[nodiscard]] std::vector<double> byte_column(std::size_t column);
  /// All columns of an array in single precision; none if a value is not finite, or lies where it cannot be
  /// read as it is.
  [[nodiscard]] std::optional<RowMatrix> single_rows();

 private:
  void read_values();

  std::string path_;
  ByteSource& source_;
  std::size_t budget_;
  NpyHead head_;
  std::optional<SharedSpan<std::uint8_t>> values_;
};

}  // namespace linkgistic

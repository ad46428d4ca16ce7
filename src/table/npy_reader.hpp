// NumPy's .npy arrays of one or two dimensions as tables; the columns are called 0, 1, 2, ...
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "table/table.hpp"

namespace linkgistic {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// What the head of an array says.
struct NpyHead {
  char kind = 0;  // f, i, u or b
  std::size_t item_bytes = 0;
  bool swapped = false;  // not in this machine's order of bytes
  bool fortran_order = false;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t head_bytes = 0;  // where the values begin
};

/// Reads the head of an array from the beginning of a source; the values follow.
NpyHead read_npy_head(ByteSource& source);

/// Versions 1 to 3; booleans, integers of 1 to 8 bytes, floats of 4 and 8, of either order of bytes. Rows
/// stored one after the other are streamed; an array stored by columns (Fortran order) is read into memory.
class NpyTable final : public Table {
 public:
  /// Infinite values are refused, or left to the caller.
  explicit NpyTable(std::unique_ptr<ByteSource> source, bool infinite = false);

  const std::string& name() const override { return source_->name(); }
  const std::vector<std::string>& column_names() const override { return names_; }
  std::size_t read(std::span<const std::size_t> columns, std::size_t most_rows, NumberBlock& block) override;
  void rewind() override;

 private:
  const char* place_word() const override { return "row"; }
  void read_bytes(std::size_t count);
  [[nodiscard]] double value(const char* item) const;

  std::unique_ptr<ByteSource> source_;
  NpyHead head_;
  std::vector<std::string> names_;
  std::vector<char> bytes_;  // of the block at hand, or of the whole array when it is stored by columns
  std::size_t row_ = 0;      // rows read so far
  bool infinite_;
};

}  // namespace linkgistic

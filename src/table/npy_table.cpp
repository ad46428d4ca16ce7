// NumPy's .npy arrays of one or two dimensions as tables; the columns are called 0, 1, 2, ...
// Versions 1 to 3; booleans, integers of 1 to 8 bytes, floats of 4 and 8, of either order of bytes. Rows
// stored one after the other are streamed; an array stored by columns (Fortran order) is read into memory.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <linkgistic/error.hpp>

#include "table/cell_writer.hpp"
#include "table/format.hpp"
#include "table/npy_head.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 22;  // read at a time, or one row if it is longer

template <class T>
double load(const char* item, bool swapped) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, item, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

class NpyTable final : public Table {
 public:
  NpyTable(std::unique_ptr<ByteSource> source, const TableOptions& options)
      : Table(source->name(), options, "row"), source_(std::move(source)), head_(read_npy_head(*source_)) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < head_.columns; ++i) names.push_back(std::to_string(i));
    set_columns(std::move(names));
  }

  void rewind() override {
    source_->rewind();
    head_ = read_npy_head(*source_);
    row_ = 0;
  }

 private:
  std::size_t read_rows(std::span<const ColumnRequest> asked, std::size_t most_rows,
                        CellWriter& out) override {
    const std::size_t item = head_.item_bytes;
    const std::size_t piece_rows =
        std::max<std::size_t>(piece_bytes / std::max<std::size_t>(head_.columns * item, 1), 1);
    const std::size_t rows = std::min({most_rows, head_.rows - row_, piece_rows});
    if (!head_.fortran_order) read_bytes(rows * head_.columns * item);
    if (head_.fortran_order && row_ == 0) read_bytes(head_.rows * head_.columns * item);
    const std::size_t row_step = head_.fortran_order ? item : head_.columns * item;
    const std::size_t column_step = head_.fortran_order ? head_.rows * item : item;
    const std::size_t first = head_.fortran_order ? row_ : 0;
    for (std::size_t r = 0; r < rows; ++r) {
      out.begin_row(row_ + r + 1);
      const char* const row = bytes_.data() + (first + r) * row_step;
      for (std::size_t i = 0; i < asked.size(); ++i) out.put(i, value(row + asked[i].column * column_step));
    }
    row_ += rows;
    return rows;
  }

  // Reads `count` bytes of the array, in pieces so that a head that promises too much costs no memory.
  void read_bytes(std::size_t count) {
    bytes_.clear();
    while (bytes_.size() < count) {
      const std::size_t have = bytes_.size();
      bytes_.resize(have + std::min(piece_bytes, count - have));
      const std::size_t got = source_->read(std::span(bytes_).subspan(have));
      if (have + got == bytes_.size()) continue;
      const std::size_t whole_rows = (have + got) / (head_.columns * head_.item_bytes);
      throw InputError(name() + ": the file is truncated" +
                       (head_.fortran_order ? ""
                                            : " in row " + std::to_string(row_ + whole_rows + 1) + " of " +
                                                  std::to_string(head_.rows)));
    }
  }

  [[nodiscard]] double value(const char* item) const {
    const bool swapped = head_.swapped;
    switch (head_.kind) {
      case 'f':
        return head_.item_bytes == 8 ? load<double>(item, swapped) : load<float>(item, swapped);
      case 'i':
        if (head_.item_bytes == 8) return load<std::int64_t>(item, swapped);
        if (head_.item_bytes == 4) return load<std::int32_t>(item, swapped);
        return head_.item_bytes == 2 ? load<std::int16_t>(item, swapped) : load<std::int8_t>(item, swapped);
      case 'u':
        if (head_.item_bytes == 8) return load<std::uint64_t>(item, swapped);
        if (head_.item_bytes == 4) return load<std::uint32_t>(item, swapped);
        return head_.item_bytes == 2 ? load<std::uint16_t>(item, swapped) : load<std::uint8_t>(item, swapped);
      default:
        return *item != 0 ? 1.0 : 0.0;
    }
  }

  std::unique_ptr<ByteSource> source_;
  NpyHead head_;
  std::vector<char> bytes_;  // of the block at hand, or of the whole array when it is stored by columns
  std::size_t row_ = 0;      // rows read so far
};

bool is_npy(const FileStart& start) { return start.bytes.starts_with(npy_magic) || start.named({".npy"}); }

std::unique_ptr<Table> open_npy(std::unique_ptr<ByteSource> source, const TableOptions& options) {
  return std::make_unique<NpyTable>(std::move(source), options);
}

}  // namespace

extern const Format npy_format{"an NPY array", Layout::array, is_npy, open_npy};

}  // namespace linkgistic

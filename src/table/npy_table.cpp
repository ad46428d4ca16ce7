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

// Read at a time, or one row if it is longer: what is read stays in the cache until it is cells.
constexpr std::size_t piece_bytes = std::size_t{1} << 18;

template <class T, bool swapped>
void load(const char* item, std::size_t step, std::span<double> out) {
  for (double& number : out) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, item, sizeof(T));
    if constexpr (swapped) std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    number = static_cast<double>(value);
    item += step;
  }
}

// A boolean; the byte of a damaged file may be any.
struct Truth {
  char byte;
  explicit operator double() const { return byte != 0 ? 1.0 : 0.0; }
};

// Items `step` bytes from one another as numbers.
using Load = void (*)(const char* item, std::size_t step, std::span<double> out);

template <class T>
Load load_of(const NpyHead& head) {
  return head.swapped ? load<T, true> : load<T, false>;
}

Load load_of(const NpyHead& head) {
  const std::size_t bytes = head.item_bytes;
  switch (head.kind) {
    case 'f':
      return bytes == 8 ? load_of<double>(head) : load_of<float>(head);
    case 'i':
      if (bytes == 8) return load_of<std::int64_t>(head);
      if (bytes == 4) return load_of<std::int32_t>(head);
      return bytes == 2 ? load_of<std::int16_t>(head) : load_of<std::int8_t>(head);
    case 'u':
      if (bytes == 8) return load_of<std::uint64_t>(head);
      if (bytes == 4) return load_of<std::uint32_t>(head);
      return bytes == 2 ? load_of<std::uint16_t>(head) : load_of<std::uint8_t>(head);
    default:
      return load<Truth, false>;
  }
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
    const Load load = load_of(head_);
    const auto column = [&](std::size_t i) {
      return bytes_.data() + first * row_step + asked[i].column * column_step;
    };
    const bool usual = out.put_rows(
        row_ + 1, rows, [&](std::size_t i, std::span<double> values) { load(column(i), row_step, values); });
    for (std::size_t r = 0; r < rows && !usual; ++r) {
      out.begin_row(row_ + r + 1);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        double value = 0;
        load(column(i) + r * row_step, 0, {&value, 1});
        out.put(i, value);
      }
    }
    row_ += rows;
    return rows;
  }

  // Reads `count` bytes of the array, in pieces so that a head that promises too much costs no memory.
  void read_bytes(std::size_t count) {
    for (std::size_t have = 0; have < count;) {
      const std::size_t wanted = std::min(piece_bytes, count - have);
      bytes_.resize(std::max(bytes_.size(), have + wanted));
      const std::size_t got = source_->read(std::span(bytes_).subspan(have, wanted));
      have += got;
      if (got == wanted) continue;
      const std::size_t whole_rows = have / (head_.columns * head_.item_bytes);
      throw InputError(name() + ": the file is truncated" +
                       (head_.fortran_order ? ""
                                            : " in row " + std::to_string(row_ + whole_rows + 1) + " of " +
                                                  std::to_string(head_.rows)));
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

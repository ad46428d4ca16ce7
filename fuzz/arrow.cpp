// One column of Arrow's C data interface. A consumer cannot see how long buffers are, so they have the length
// that the array's own numbers promise; what stands in them is hostile.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "table/arrow_cells.hpp"
#include "target.hpp"

namespace linkgistic::fuzz {
namespace {

// Takes numbers from the front of the bytes; zeros behind their end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : left_(bytes) {}

  std::uint8_t next() {
    if (left_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    return value;
  }
  std::string text(std::size_t size) {
    const std::string result(left_.substr(0, size));
    left_.remove_prefix(result.size());
    return result;
  }
  template <class T>
  void fill(std::vector<T>& values) {
    for (T& value : values) value = static_cast<T>(next());
  }

 private:
  std::string_view left_;
};

constexpr std::size_t characters = 256;

// The buffers of an array of a format: offsets of text lie within its characters, all else is any bytes.
struct Buffers {
  std::vector<std::uint8_t> valid, values, text = std::vector<std::uint8_t>(characters);
  std::vector<std::int32_t> offsets;
  std::vector<std::int64_t> long_offsets, sizes = {static_cast<std::int64_t>(characters)};
  std::array<const void*, 8> pointers{};

  Buffers(const std::string& format, std::size_t length, Bytes& bytes)
      : valid(length / 8 + 1), values(40 * (length + 1)), offsets(length + 1), long_offsets(length + 1) {
    bytes.fill(valid);
    bytes.fill(text);
    bytes.fill(values);
    Bytes same(std::string_view(reinterpret_cast<const char*>(values.data()), values.size()));
    same.fill(offsets);
    std::copy(offsets.begin(), offsets.end(), long_offsets.begin());
    pointers.fill(values.data());
    pointers[0] = (bytes.next() & 1U) != 0 ? valid.data() : nullptr;
    if (format == "u" || format == "z") pointers[1] = offsets.data();
    if (format == "U" || format == "Z") pointers[1] = long_offsets.data();
    pointers[2] = text.data();
    if (format.starts_with("v")) pointers[3] = sizes.data();
  }
};

std::int64_t buffer_count(const std::string& format) {
  if (format == "n") return 0;
  if (format.starts_with("v")) return 4;
  return format == "u" || format == "U" || format == "z" || format == "Z" ? 3 : 2;
}

void read_values(const ArrowColumn& column, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (column.is_null(row)) continue;
    if (column.is_text()) {
      const std::string_view text = column.text(row);
      require(std::count(text.begin(), text.end(), '\0') <= static_cast<std::ptrdiff_t>(text.size()),
              "characters can be read");
    } else {
      (void)column.number(row);
    }
  }
}

}  // namespace

void arrow(std::string_view input) {
  Bytes bytes(input);
  const std::string format = bytes.text(bytes.next() % 12), entries = bytes.text(bytes.next() % 12);
  const bool coded = (bytes.next() & 1U) != 0;
  const std::size_t offset = bytes.next() % 8, length = bytes.next() % 16, entry_length = bytes.next() % 16;
  const int buffers = bytes.next() % 8;

  ArrowSchema dictionary_schema{}, column_schema{}, schema{};
  dictionary_schema.format = entries.c_str();
  column_schema.format = format.c_str();
  column_schema.name = "x";
  column_schema.dictionary = coded ? &dictionary_schema : nullptr;
  schema.format = "+s";
  schema.n_children = 1;
  std::array<ArrowSchema*, 1> schemas{&column_schema};
  schema.children = schemas.data();
  const auto fields = arrow_fields(schema, "arrow");

  Buffers own(format, offset + length, bytes), of_entries(entries, entry_length, bytes);
  ArrowArray dictionary{}, column{}, batch{};
  dictionary.length = static_cast<std::int64_t>(entry_length);
  dictionary.null_count = -1;
  dictionary.n_buffers = buffer_count(entries);
  dictionary.buffers = of_entries.pointers.data();
  column.length = static_cast<std::int64_t>(length);
  column.offset = static_cast<std::int64_t>(offset);
  column.null_count = -1;
  column.n_buffers = buffers == 7 ? bytes.next() % 5 : buffer_count(format);
  if (column.n_buffers > buffer_count(format)) return;  // a lie that no consumer can see
  column.buffers = own.pointers.data();
  column.dictionary = coded ? &dictionary : nullptr;
  std::array<ArrowArray*, 1> columns{&column};
  batch.length = column.length;
  batch.n_children = 1;
  batch.children = columns.data();
  const auto read = arrow_columns(batch, fields, {true}, "arrow");
  if (read.at(0)) read_values(*read[0], length);
}

}  // namespace linkgistic::fuzz

// The head of an .npy file is a Python dictionary; the rest is the array as it lay in memory.
#include "table/npy_reader.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t most_columns = std::size_t{1} << 24;
constexpr std::size_t piece_bytes = std::size_t{1} << 22;  // read at a time, or one row if it is longer

[[noreturn]] void fail(const ByteSource& source, const std::string& what) {
  throw InputError(source.name() + ": " + what);
}

void read_exactly(ByteSource& source, std::span<char> out, const char* what) {
  if (source.read(out) < out.size()) fail(source, std::string("the file is truncated in ") + what);
}

// What follows 'key': in the dictionary.
std::string_view entry(const ByteSource& source, std::string_view dictionary, std::string_view key) {
  const auto at = dictionary.find(in_quotes(key));
  if (at == dictionary.npos) fail(source, "damaged NPY head: no " + in_quotes(key));
  const auto begin = dictionary.find_first_not_of(": ", at + key.size() + 2);
  return begin == dictionary.npos ? std::string_view() : dictionary.substr(begin);
}

// "'<f8', ..."
void parse_type(const ByteSource& source, std::string_view text, NpyHead& head) {
  const auto end = text.empty() ? text.npos : text.find('\'', 1);
  const std::string_view type =
      text.starts_with('\'') && end != text.npos ? text.substr(1, end - 1) : text.substr(0, text.find(']'));
  constexpr std::string_view supported[] = {"f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
  const bool known =
      type.size() == 3 && std::string_view("<>|=").find(type[0]) != std::string_view::npos &&
      std::find(std::begin(supported), std::end(supported), type.substr(1)) != std::end(supported);
  if (!known) fail(source, "type " + in_quotes(type) + " is not read; use a float, integer or boolean array");
  head.kind = type[1];
  head.item_bytes = static_cast<std::size_t>(type[2] - '0');
  constexpr bool little = std::endian::native == std::endian::little;
  head.swapped = type[0] == (little ? '>' : '<');
}

// "(398, 3), ..."
void parse_shape(const ByteSource& source, std::string_view text, NpyHead& head) {
  const auto close = text.find(')');
  if (!text.starts_with('(') || close == text.npos) fail(source, "damaged NPY head: no shape");
  std::vector<std::size_t> shape;
  const char* p = text.data() + 1;
  const char* const end = text.data() + close;
  while (p != end) {
    if (*p == ' ' || *p == ',') {
      ++p;
      continue;
    }
    const auto [stop, error] = std::from_chars(p, end, shape.emplace_back());
    if (error != std::errc{}) fail(source, "damaged NPY head: no shape");
    p = stop;
  }
  if (shape.empty() || shape.size() > 2) {
    fail(source, "an array of " + counted(shape.size(), "dimension") + "; a table has 1 or 2");
  }
  head.rows = shape[0];
  head.columns = shape.size() == 2 ? shape[1] : 1;
  const std::size_t most = std::numeric_limits<std::size_t>::max() / head.item_bytes;
  if (head.columns > most_columns || (head.columns > 0 && head.rows > most / head.columns)) {
    fail(source, "damaged NPY head: impossible shape");
  }
}

template <class T>
double load(const char* item, bool swapped) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, item, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

}  // namespace

NpyHead read_npy_head(ByteSource& source) {
  NpyHead head;
  char magic[npy_magic.size()];
  if (source.read(magic) < sizeof magic || std::string_view(magic, sizeof magic) != npy_magic) {
    fail(source, "not an NPY file: it does not begin with the NPY mark");
  }
  unsigned char start[6] = {};  // version (2 bytes), length of the dictionary (2 in version 1, else 4)
  const auto chars = std::span(reinterpret_cast<char*>(start), sizeof start);
  read_exactly(source, chars.first(2), "its head");
  if (start[0] < 1 || start[0] > 3) fail(source, "NPY version " + std::to_string(start[0]) + " is not known");
  const std::size_t length_bytes = start[0] == 1 ? 2 : 4;
  read_exactly(source, chars.subspan(2, length_bytes), "its head");
  const std::size_t length =
      start[2] + (std::size_t{start[3]} << 8) + (std::size_t{start[4]} << 16) + (std::size_t{start[5]} << 24);
  if (length > (1 << 20)) fail(source, "damaged NPY head: impossible length");
  std::string dictionary(length, ' ');
  read_exactly(source, dictionary, "its head");
  head.head_bytes = sizeof magic + 2 + length_bytes + length;
  parse_type(source, entry(source, dictionary, "descr"), head);
  parse_shape(source, entry(source, dictionary, "shape"), head);
  head.fortran_order =
      entry(source, dictionary, "fortran_order").starts_with("True") && head.columns > 1 && head.rows > 1;
  return head;
}

NpyTable::NpyTable(std::unique_ptr<ByteSource> source, bool infinite)
    : source_(std::move(source)), head_(read_npy_head(*source_)), infinite_(infinite) {
  for (std::size_t i = 0; i < head_.columns; ++i) names_.push_back(std::to_string(i));
}

void NpyTable::rewind() {
  source_->rewind();
  head_ = read_npy_head(*source_);
  row_ = 0;
}

// Reads `count` bytes of the array, in pieces so that a head that promises too much costs no memory.
void NpyTable::read_bytes(std::size_t count) {
  bytes_.clear();
  while (bytes_.size() < count) {
    const std::size_t have = bytes_.size();
    bytes_.resize(have + std::min(piece_bytes, count - have));
    const std::size_t got = source_->read(std::span(bytes_).subspan(have));
    if (have + got < bytes_.size()) {
      if (head_.fortran_order) fail(*source_, "the file is truncated");
      const std::size_t whole_rows = (have + got) / (head_.columns * head_.item_bytes);
      fail(*source_, "the file is truncated in row " + std::to_string(row_ + whole_rows + 1) + " of " +
                         std::to_string(head_.rows));
    }
  }
}

std::size_t NpyTable::read(std::span<const std::size_t> columns, std::size_t most_rows, NumberBlock& block) {
  const std::size_t item = head_.item_bytes;
  const std::size_t piece_rows =
      std::max<std::size_t>(piece_bytes / std::max<std::size_t>(head_.columns * item, 1), 1);
  const std::size_t rows = std::min({most_rows, head_.rows - row_, piece_rows});
  if (!head_.fortran_order) read_bytes(rows * head_.columns * item);
  if (head_.fortran_order && row_ == 0) read_bytes(head_.rows * head_.columns * item);
  const std::size_t row_step = head_.fortran_order ? item : head_.columns * item;
  const std::size_t column_step = head_.fortran_order ? head_.rows * item : item;
  const std::size_t first = head_.fortran_order ? row_ : 0;
  block.columns.resize(columns.size());
  block.places.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) block.places[r] = row_ + r + 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    block.columns[i].resize(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const double x = value(bytes_.data() + (first + r) * row_step + columns[i] * column_step);
      if (std::isinf(x) && !infinite_) throw InputError(where(row_ + r + 1, columns[i]) + ": infinite");
      block.columns[i][r] = x;
    }
  }
  row_ += rows;
  return rows;
}

double NpyTable::value(const char* item) const {
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

}  // namespace linkgistic

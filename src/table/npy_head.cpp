// The head of an .npy file is a Python dictionary; the rest is the array as it lay in memory.
#include "table/npy_head.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t most_columns = std::size_t{1} << 24;

[[noreturn]] void fail_head(const ByteSource& source, const std::string& what) {
  throw InputError(source.name() + ": " + what);
}

void read_exactly(ByteSource& source, std::span<char> out, const char* what) {
  if (source.read(out) < out.size()) fail_head(source, std::string("the file is truncated in ") + what);
}

// What follows 'key': in the dictionary.
std::string_view entry(const ByteSource& source, std::string_view dictionary, std::string_view key) {
  const auto at = dictionary.find(in_quotes(key));
  if (at == dictionary.npos) fail_head(source, "damaged NPY head: no " + in_quotes(key));
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
  if (!known)
    fail_head(source, "type " + in_quotes(type) + " is not read; use a float, integer or boolean array");
  head.kind = type[1];
  head.item_bytes = static_cast<std::size_t>(type[2] - '0');
  constexpr bool little = std::endian::native == std::endian::little;
  head.swapped = type[0] == (little ? '>' : '<');
}

// "(398, 3), ..."
void parse_shape(const ByteSource& source, std::string_view text, NpyHead& head) {
  const auto close = text.find(')');
  if (!text.starts_with('(') || close == text.npos) fail_head(source, "damaged NPY head: no shape");
  std::vector<std::size_t> shape;
  const char* p = text.data() + 1;
  const char* const end = text.data() + close;
  while (p != end) {
    if (*p == ' ' || *p == ',') {
      ++p;
      continue;
    }
    const auto [stop, error] = std::from_chars(p, end, shape.emplace_back());
    if (error != std::errc{}) fail_head(source, "damaged NPY head: no shape");
    p = stop;
  }
  if (shape.empty() || shape.size() > 2) {
    fail_head(source, "an array of " + counted(shape.size(), "dimension") + "; a table has 1 or 2");
  }
  head.rows = shape[0];
  head.columns = shape.size() == 2 ? shape[1] : 1;
  const std::size_t most = std::numeric_limits<std::size_t>::max() / head.item_bytes;
  if (head.columns > most_columns || (head.columns > 0 && head.rows > most / head.columns)) {
    fail_head(source, "damaged NPY head: impossible shape");
  }
}

}  // namespace

NpyHead read_npy_head(ByteSource& source) {
  NpyHead head;
  char magic[npy_magic.size()];
  if (source.read(magic) < sizeof magic || std::string_view(magic, sizeof magic) != npy_magic) {
    fail_head(source, "not an NPY file: it does not begin with the NPY mark");
  }
  unsigned char start[6] = {};  // version (2 bytes), length of the dictionary (2 in version 1, else 4)
  const auto chars = std::span(reinterpret_cast<char*>(start), sizeof start);
  read_exactly(source, chars.first(2), "its head");
  if (start[0] < 1 || start[0] > 3)
    fail_head(source, "NPY version " + std::to_string(start[0]) + " is not known");
  const std::size_t length_bytes = start[0] == 1 ? 2 : 4;
  read_exactly(source, chars.subspan(2, length_bytes), "its head");
  const std::size_t length =
      start[2] + (std::size_t{start[3]} << 8) + (std::size_t{start[4]} << 16) + (std::size_t{start[5]} << 24);
  if (length > (1 << 20)) fail_head(source, "damaged NPY head: impossible length");
  std::string dictionary(length, ' ');
  read_exactly(source, dictionary, "its head");
  head.head_bytes = sizeof magic + 2 + length_bytes + length;
  parse_type(source, entry(source, dictionary, "descr"), head);
  parse_shape(source, entry(source, dictionary, "shape"), head);
  head.fortran_order =
      entry(source, dictionary, "fortran_order").starts_with("True") && head.columns > 1 && head.rows > 1;
  return head;
}

}  // namespace linkgistic

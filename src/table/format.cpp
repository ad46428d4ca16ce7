#include "table/format.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <linkgistic/error.hpp>

// The formats in the order in which a file is tried; `npy` stands for the constant npy_format.
#define LINKGISTIC_FORMATS(FORMAT) \
  FORMAT(npy)                      \
  FORMAT(parquet)                  \
  FORMAT(idx)                      \
  FORMAT(libsvm)                   \
  FORMAT(json_lines)               \
  FORMAT(csv)

namespace linkgistic {

#define LINKGISTIC_DECLARE(format) extern const Format format##_format;
#define LINKGISTIC_ADDRESS(format) &format##_format,
LINKGISTIC_FORMATS(LINKGISTIC_DECLARE)
namespace {
const Format* const formats[] = {LINKGISTIC_FORMATS(LINKGISTIC_ADDRESS)};
}
#undef LINKGISTIC_DECLARE
#undef LINKGISTIC_ADDRESS

namespace {

// What people keep next to their tables, by its first bytes.
struct NoTable {
  std::string_view start;
  const char* what;
};

constexpr NoTable no_tables[] = {
    {"\x89PNG\r\n", "a PNG picture"},
    {"\xff\xd8\xff", "a JPEG picture"},
    {"GIF8", "a GIF picture"},
    {"%PDF-", "a PDF document"},
    {"PK\x03\x04", "a ZIP archive, as are the workbooks of Excel: save the sheet as CSV"},
    {"\xd0\xcf\x11\xe0", "an old document of Office: save the sheet as CSV"},
    {"<?xml", "an XML document or an SVG picture"},
    {"<svg", "an SVG picture"},
    {"<!DOCTYPE", "an HTML page"},
    {"<!doctype", "an HTML page"},
    {"<html", "an HTML page"},
};

// [ and then { begins a JSON array of objects, which is no CSV that has a header.
bool is_json_array(std::string_view bytes) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t bracket = bytes.find_first_not_of(blanks);
  if (bracket == bytes.npos || bytes[bracket] != '[') return false;
  const std::size_t brace = bytes.find_first_not_of(blanks, bracket + 1);
  return brace != bytes.npos && bytes[brace] == '{';
}

void refuse_no_table(const std::string& name, std::string_view bytes) {
  for (const NoTable& kind : no_tables) {
    if (!bytes.starts_with(kind.start)) continue;
    throw InputError(name + ": this is " + kind.what +
                     "; it is no table, and all files of a folder that is read must be tables");
  }
  if (is_json_array(bytes)) {
    throw InputError(name +
                     ": this is a JSON array; what is read is JSON Lines, one object a line (of pandas: "
                     "to_json(orient=\"records\", lines=True))");
  }
}

}  // namespace

bool FileStart::named(std::initializer_list<std::string_view> endings) const {
  return std::any_of(endings.begin(), endings.end(), [this](auto ending) { return name.ends_with(ending); });
}

const Format& format_of(ByteSource& source) {
  std::array<char, 1 << 16> bytes;
  const std::size_t count = source.read(bytes);
  source.rewind();
  refuse_no_table(source.name(), {bytes.data(), count});
  FileStart start{source.name(), {bytes.data(), count}, count < bytes.size()};
  if (start.name.ends_with(".gz")) start.name.remove_suffix(3);
  return **std::find_if(std::begin(formats), std::end(formats) - 1,
                        [&](const Format* format) { return format->matches(start); });
}

}  // namespace linkgistic

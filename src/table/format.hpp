// The formats of files, found from what a file begins with and from its name.
#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>

#include "io/byte_source.hpp"
#include "table/table.hpp"

namespace linkgistic {

/// How the rows lie in a file.
enum class Layout {
  table,   // cells in columns with names
  array,   // the same, and rows of numbers of one type that may be used as they are
  images,  // rows of bytes without names: no table
  sparse,  // pairs of column and value after a label: no table
};

/// The beginning of a file, unpacked.
struct FileStart {
  std::string_view name;  // without a final .gz
  std::string_view bytes;
  bool complete;  // there is nothing behind the bytes

  [[nodiscard]] bool named(std::initializer_list<std::string_view> endings) const;
};

/// A format is one file with a constant of this type, and one line in format.cpp.
struct Format {
  const char* name;  // "a CSV file"
  Layout layout;
  bool (*matches)(const FileStart& start);  // null: of CSV, which is what nothing else knows
  std::unique_ptr<Table> (*open)(std::unique_ptr<ByteSource> source, const TableOptions& options);  // or null
  bool columns_are_keys = false;  // a column is what some row has, and another file may lack it
};

/// The format of the unpacked bytes; the source is rewound. An InputError for pictures, documents and JSON
/// arrays.
const Format& format_of(ByteSource& source);

}  // namespace linkgistic

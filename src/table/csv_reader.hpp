// CSV (RFC 4180) with a header, a record at a time from a source of any length.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"

namespace linkgistic {

struct CsvOptions {
  /// The character between fields; 0 = the one of , ; tab | that the header has most of.
  char delimiter = 0;
  /// Bytes read at a time, at least 1. The buffer grows when one record is longer.
  std::size_t block_bytes = 1 << 18;
};

/// Fields may be quoted, a quoted field may hold delimiters, line ends and doubled quotes. Lines end by LF or
/// CRLF, a UTF-8 byte order mark is skipped, and so are blank lines at the end. A blank line between rows is
/// an empty field when there is one column, otherwise an error, as is a row with more or fewer fields than
/// the header.
class CsvReader {
 public:
  explicit CsvReader(std::unique_ptr<ByteSource> source, const CsvOptions& options = {});

  [[nodiscard]] const std::string& name() const { return source_->name(); }
  [[nodiscard]] char delimiter() const { return delimiter_; }
  /// The names of the columns, without spaces at either end.
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  /// Goes to the next row; false at the end.
  bool next();
  /// The fields of the row, unquoted; they hold until the next call.
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }
  /// The line of the file, from 1, that the row begins on.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Starts again before the first row.
  void rewind();

 private:
  void start();
  void find_delimiter();
  bool record();
  void consume();
  bool split();
  const char* quoted_field(const char* begin);
  void refill();
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

  std::unique_ptr<ByteSource> source_;
  std::size_t block_bytes_;
  char delimiter_;
  std::vector<char> buffer_;  // bytes [position_, end_) are unread; a line feed stands at end_
  std::size_t position_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;  // the source has no bytes beyond end_

  std::vector<std::string> header_;
  std::vector<std::string_view> fields_;
  std::vector<std::size_t> doubled_;  // fields that hold doubled quotes
  bool blank_ = false;                // the record is an empty line
  std::size_t after_ = 0;             // where the next record begins
  std::size_t record_lines_ = 0;      // lines the record covers
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
  std::size_t blank_rows_ = 0;  // blank lines before the record at position_, still to be given as rows
};

}  // namespace linkgistic

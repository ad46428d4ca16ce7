// A table of typed cells in a file, whatever its format, read a block of rows at a time and more than once.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "io/byte_source.hpp"
#include "table/cells.hpp"
#include "table/columns.hpp"
#include "table/missing_words.hpp"

namespace linkgistic {

struct TableOptions {
  char delimiter = 0;  // of CSV; 0: found from the header
  MissingWords missing = MissingWords();
  char decimal = '.';  // of the numbers of CSV: a point or a comma
};

class CellWriter;

/// What a file says of a column of numbers without a reading of its rows.
struct KnownColumn {
  std::size_t rows = 0;
  double lower = 0, upper = 0;
};

class Table {
 public:
  virtual ~Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// The name that messages use.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const ColumnNames& columns() const { return columns_; }
  /// Adds the next rows, at most `most_rows`, to a block that is empty or has the requested columns. Returns
  /// their number, 0 at the end. Throws an InputError for a cell that is not of the requested type.
  std::size_t read(std::span<const ColumnRequest> asked, std::size_t most_rows, CellBlock& block);
  /// Starts again at the first row.
  virtual void rewind() = 0;

  /// The number of rows and the range of a column of numbers that has no gap, where the file says so.
  [[nodiscard]] virtual std::optional<KnownColumn> known_column(std::size_t) const { return std::nullopt; }

  /// "line 12".
  [[nodiscard]] virtual std::string place(std::size_t place) const;
  /// "cars.csv: line 12, column 'weight'".
  [[nodiscard]] virtual std::string where(std::size_t place, std::size_t column) const;
  /// What a place is called: "line".
  [[nodiscard]] const char* place_word() const { return place_word_; }

 protected:
  Table(std::string name, const TableOptions& options, const char* place_word)
      : name_(std::move(name)), missing_(options.missing), place_word_(place_word) {}
  void set_columns(std::vector<std::string> names) { columns_ = ColumnNames(name_, std::move(names)); }

 private:
  virtual std::size_t read_rows(std::span<const ColumnRequest> asked, std::size_t most_rows,
                                CellWriter& out) = 0;

  std::string name_;
  ColumnNames columns_;
  MissingWords missing_;
  const char* place_word_;
};

/// The InputError of the first missing value of a block that has one, with what can be done about it.
[[noreturn]] void refuse_gap(const Table& table, std::span<const ColumnRequest> asked, const CellBlock& block,
                             const char* advice);
/// The InputError of a table that has no row but those dropped.
[[noreturn]] void refuse_no_rows(const std::string& table, std::size_t dropped);

/// Opens a table of the format that the file has (table/format.hpp), also gzip; "-" is standard input. A
/// folder or a pattern of names (io/file_list.hpp) is the table of all its files. A file of rows without
/// names, IDX or libsvm, is an InputError.
std::unique_ptr<Table> open_table(const std::string& path, const TableOptions& options = {});
std::unique_ptr<Table> open_table(std::unique_ptr<ByteSource> source, const TableOptions& options = {});

}  // namespace linkgistic

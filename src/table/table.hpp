// A table of numbers in a file, whatever its format, read a block of rows at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/byte_source.hpp"

namespace linkgistic {

/// Consecutive rows of some columns.
struct NumberBlock {
  std::vector<std::vector<double>> columns;  // (columns asked for, rows); NaN where the value is missing
  std::vector<std::size_t> places;           // (rows); the line of a CSV file or the row of an array, from 1
};

class Table {
 public:
  virtual ~Table() = default;

  /// The name that messages use.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& column_names() const = 0;
  /// Replaces `block` by the next rows, at most `most_rows`, of the columns with these numbers; returns how
  /// many there are, 0 at the end. What is neither a finite number nor missing is an InputError.
  virtual std::size_t read(std::span<const std::size_t> columns, std::size_t most_rows,
                           NumberBlock& block) = 0;
  /// Starts again at the first row.
  virtual void rewind() = 0;

  /// The number of the column called `wanted`, as find_column.
  [[nodiscard]] std::size_t column(const std::string& wanted) const;
  /// "cars.csv: line 12, column 'weight'".
  [[nodiscard]] std::string where(std::size_t place, std::size_t column) const;

 private:
  [[nodiscard]] virtual const char* place_word() const = 0;
};

/// Opens a table, an NPY array if it begins like one, otherwise CSV; "-" is standard input, either may be
/// gzip. The delimiter is that of CSV; 0 = found from the header.
std::unique_ptr<Table> open_table(const std::string& path, char delimiter = 0);
std::unique_ptr<Table> open_table(std::unique_ptr<ByteSource> source, char delimiter = 0);

}  // namespace linkgistic

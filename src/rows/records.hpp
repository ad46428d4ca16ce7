// Rows of a table whose cells are numbers or text, one at a time and more than once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "io/byte_source.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {

class Records {
 public:
  virtual ~Records() = default;

  /// The name that messages use.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& columns() const = 0;
  /// Goes to the next row; false at the end.
  virtual bool next() = 0;
  /// The cell of a column as a number.
  virtual NumberKind number(std::size_t column, double& value) const = 0;
  /// The same as text without blanks at its ends; a number in its shortest form where it was no text.
  [[nodiscard]] virtual std::string text(std::size_t column) const = 0;
  /// Starts again before the first row.
  virtual void rewind() = 0;

  /// "cars.csv: line 12, column 'weight'" for the row at hand.
  [[nodiscard]] std::string where(std::size_t column) const;

 private:
  [[nodiscard]] virtual std::string place() const = 0;  // "line 12"
};

/// CSV with a header; 0 finds the delimiter from it.
std::unique_ptr<Records> csv_records(std::unique_ptr<ByteSource> source, char delimiter);
/// An NPY array; NaN is missing.
std::unique_ptr<Records> npy_records(std::unique_ptr<ByteSource> source);

}  // namespace linkgistic

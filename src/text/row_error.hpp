// A value of a row that cannot be used, for callers who know where the row stands.
#pragma once

#include <cstddef>
#include <string>

#include <linkgistic/error.hpp>

namespace linkgistic {

/// Its message counts rows from 1; one who read the rows from a file says the line in place of that.
class RowError : public InputError {
 public:
  /// "the score", 1, " is 1.4: ..." of row 2; `column` among the columns of such values.
  RowError(const std::string& what, std::size_t row, const std::string& rest, std::size_t column = 0)
      : InputError(what + " of row " + std::to_string(row + 1) + rest),
        row_(row),
        column_(column),
        without_row_(what + rest) {}

  [[nodiscard]] std::size_t row() const { return row_; }
  [[nodiscard]] std::size_t column() const { return column_; }
  /// "the score is 1.4: ...".
  [[nodiscard]] const std::string& without_row() const { return without_row_; }

 private:
  std::size_t row_, column_;
  std::string without_row_;
};

}  // namespace linkgistic

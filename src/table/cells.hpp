// Typed cells of consecutive rows of a table.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkgistic {

/// What the cells of a column are read as; each may be missing.
enum class CellType {
  number,  // finite numbers
  weight,  // finite numbers that are not negative
  score,   // numbers, infinite ones too
  text,    // the text as it stands; a number that came without text in its shortest form
  either,  // finite numbers and, set aside, words
};

/// A column by its place in the table.
struct ColumnRequest {
  std::size_t column;
  CellType type;
};

/// The cells of one column.
class CellColumn {
 public:
  CellType type = CellType::number;
  /// (rows), unless it is text: NaN is a missing value, an infinite one of `either` a word.
  std::vector<double> numbers;

  [[nodiscard]] std::string_view text(std::size_t row) const {
    return std::string_view(characters_).substr(pieces_[row].first, pieces_[row].size);
  }
  [[nodiscard]] bool is_missing(std::size_t row) const {
    return type == CellType::text ? pieces_[row].size == 0 : std::isnan(numbers[row]);
  }
  void add_text(std::string_view text) {
    pieces_.push_back({characters_.size(), text.size()});
    characters_ += text;
  }
  void clear();
  /// Leaves these rows, in increasing order, of those from `first` on.
  void keep(std::span<const std::size_t> rows, std::size_t first);

 private:
  struct Piece {
    std::size_t first, size;
  };
  std::string characters_;
  std::vector<Piece> pieces_;  // (rows), if it is text
};

/// Text in a column that may hold numbers.
struct CellWord {
  std::size_t row, column;  // of the block
  std::string text;
  bool infinite;  // it reads as a number that is not finite
};

/// The requested columns, in that order.
struct CellBlock {
  std::vector<CellColumn> columns;
  std::vector<std::size_t> places;  // (rows): the line of a text file or the row of an array, from 1
  std::vector<CellWord> words;      // by row
  std::size_t missing = 0;          // cells

  [[nodiscard]] std::size_t rows() const { return places.size(); }
  void clear();
  /// Where row `row` has its first missing value, from column `first` on; past the end: nowhere.
  [[nodiscard]] std::size_t gap_in(std::size_t row, std::size_t first = 0) const;
  /// Leaves out the rows, from `row` on, with a missing value in a column from `first` on, and returns the
  /// numbers that the rest of them had.
  std::vector<std::size_t> keep_complete(std::size_t row = 0, std::size_t first = 0);
};

/// Rows that make a block of so many columns fit the cache.
inline std::size_t rows_for(std::size_t columns) {
  constexpr std::size_t cells = std::size_t{1} << 15;
  return columns >= cells ? 1 : cells / (columns + 1) + 1;
}

}  // namespace linkgistic

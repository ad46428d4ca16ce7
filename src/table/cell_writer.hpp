// Fields of a file as typed cells of a block: the one place that says what is missing, a number or text.
#pragma once

#include <cmath>
#include <numeric>
#include <string_view>

#include "numeric/extent.hpp"
#include "numeric/limits.hpp"
#include "table/table.hpp"

namespace linkgistic {

class CellWriter {
 public:
  /// The block's columns are the requested ones, in that order; their types are set.
  CellWriter(const Table& table, const MissingWords& missing, std::span<const ColumnRequest> asked,
             CellBlock& block);

  /// The rows of a block come one after the other, each with a cell for every column.
  void begin_row(std::size_t place) { block_.places.push_back(place); }
  void put(std::size_t i, std::string_view field) {
    CellColumn& column = block_.columns[i];
    double value = 0;
    if (column.type == CellType::text) return put_text(i, trimmed(field));
    const NumberKind kind = parse_number(field, value);
    if (kind != NumberKind::finite) return put_unusual(i, trimmed(field), kind, value);
    put_number(i, value);
  }
  void put(std::size_t i, double value);
  /// Rows of usual numbers a column at a time: read(i, values) writes those of column i, the places follow
  /// one another. If a cell is not a finite number that stands for itself, or a column is text, nothing is
  /// put and false returned: the rows must then come cell by cell.
  template <class Read>
  bool put_rows(std::size_t first_place, std::size_t rows, const Read& read) {
    if (!numbers_stand_for_themselves_) return false;
    const std::size_t before = block_.rows();
    for (std::size_t i = 0; i < block_.columns.size(); ++i) {
      std::vector<double>& numbers = block_.columns[i].numbers;
      numbers.resize(before + rows);
      const auto values = std::span(numbers).subspan(before);
      read(i, values);
      const Extent extent = extent_of(values);
      const CellType type = block_.columns[i].type;
      if (!extent.finite || !is_allowed(type, extent.lower) || !is_allowed(type, extent.upper))
        return forget_rows(before);
    }
    block_.places.resize(before + rows);
    std::iota(block_.places.begin() + static_cast<std::ptrdiff_t>(before), block_.places.end(), first_place);
    return true;
  }
  void put_missing(std::size_t i);
  [[nodiscard]] CellBlock& block() const { return block_; }

 private:
  void put_number(std::size_t i, double value) {
    CellColumn& column = block_.columns[i];
    if (missing_.has(value)) return put_missing(i);
    if (!is_allowed(column.type, value)) refuse(i, value);
    column.numbers.push_back(value);
  }
  /// Whether a column of this type may hold the finite number.
  static bool is_allowed(CellType type, double value) {
    if (type == CellType::weight) return is_weight(value);
    return type != CellType::either || std::abs(value) <= largest_feature;
  }
  [[noreturn]] void refuse(std::size_t i, double value) const;
  [[noreturn]] void refuse_bytes(std::size_t i) const;
  bool forget_rows(std::size_t before);
  void put_text(std::size_t i, std::string_view text);
  void put_unusual(std::size_t i, std::string_view field, NumberKind kind, double value);
  [[noreturn]] void fail(std::size_t i, const std::string& what) const;

  const Table& table_;
  const MissingWords& missing_;
  std::span<const ColumnRequest> asked_;
  CellBlock& block_;
  bool numbers_stand_for_themselves_;  // no column is text, no number a missing value
};

}  // namespace linkgistic

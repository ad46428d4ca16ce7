// Rows for a fit: chosen columns of a table without their missing values, or arrays in memory, in blocks of
// one size.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <linkgistic/rows.hpp>

#include "table/table.hpp"

namespace linkgistic {

/// Sums are made block by block: with one size the same rows give the same result, from a file or from
/// memory.
inline constexpr std::size_t rows_per_block = 65536;

/// What is known of the rows of a regression before they are read.
struct KnownRows {
  std::size_t rows = 0;
  double x_lower = 0, x_upper = 0, y_lower = 0, y_upper = 0;
};

/// A stream that may know its rows before it is read. They are what it reads, or the data are damaged.
class ForeseenRows : public RowStream {
 public:
  [[nodiscard]] virtual std::optional<KnownRows> known_rows() const = 0;
};

/// A column by its name.
struct NamedColumn {
  std::string name;
  CellType type;
};

/// Some columns of a table, complete rows only: a missing value is refused, or its row left out. Every block
/// but the last has rows_per_block rows; a table that has no complete row is an InputError.
class CompleteRows {
 public:
  CompleteRows(std::unique_ptr<Table> table, std::span<const NamedColumn> columns, MissingValues missing);
  /// Columns of finite numbers.
  CompleteRows(std::unique_ptr<Table> table, std::span<const std::string> columns, MissingValues missing);

  /// Goes to the next block and returns its number of rows, 0 at the end.
  std::size_t next();
  /// The numbers of the i-th requested column of the block; they are valid until the next call.
  [[nodiscard]] std::span<const double> column(std::size_t i) const { return block_.columns[i].numbers; }
  /// The text of column i and row r, likewise.
  [[nodiscard]] std::string_view text(std::size_t i, std::size_t r) const {
    return block_.columns[i].text(r);
  }
  /// "line 12" for row r of the block.
  [[nodiscard]] std::string place(std::size_t r) const { return table_->place(block_.places[r]); }
  /// "cars.csv: line 12, column 'weight'" for row r of the block and the i-th requested column.
  [[nodiscard]] std::string where(std::size_t i, std::size_t r) const {
    return table_->where(block_.places[r], asked_[i].column);
  }
  /// Of the i-th requested column, if no row can be left out.
  [[nodiscard]] std::optional<KnownColumn> known_column(std::size_t i) const {
    return missing_ == MissingValues::drop ? std::nullopt : table_->known_column(asked_[i].column);
  }
  /// Starts again at the first row.
  void rewind();
  /// Rows left out since the start.
  [[nodiscard]] std::size_t dropped() const { return dropped_; }

 private:
  std::unique_ptr<Table> table_;
  std::vector<ColumnRequest> asked_;
  MissingValues missing_;
  CellBlock block_;
  std::size_t rows_ = 0;
  std::size_t dropped_ = 0;
};

/// All of one column, with no missing value left.
std::vector<double> read_column(std::unique_ptr<Table> table, const std::string& column,
                                MissingValues missing);

/// The columns a fit reads; an empty `weight` gives every row the weight 1.
struct RowColumns {
  std::string x;
  std::string y;
  std::string weight;
};

/// Rows of a table.
class TableRows final : public RowStream {
 public:
  TableRows(std::unique_ptr<Table> table, const RowColumns& columns, MissingValues missing);

  RowBlock next() override;
  void rewind() override { rows_.rewind(); }
  [[nodiscard]] std::size_t dropped() const { return rows_.dropped(); }

 private:
  CompleteRows rows_;
  bool weighted_;
};

/// Rows in memory, which must outlive the stream; an empty `weight` gives every row the weight 1. Arrays of
/// different lengths are an InputError; what a fit cannot use it refuses itself.
class MemoryRows final : public RowStream {
 public:
  MemoryRows(std::span<const double> x, std::span<const double> y, std::span<const double> weight = {});
  explicit MemoryRows(const RowBlock& rows);

  RowBlock next() override;
  void rewind() override { position_ = 0; }

 private:
  RowBlock all_;
  std::size_t position_ = 0;
};

}  // namespace linkgistic

// Rows for a fit: chosen columns of a table without their missing values, or arrays in memory, in blocks of
// one size.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <linkgistic/rows.hpp>

#include "table/table.hpp"

namespace linkgistic {

/// Sums are made block by block: with one size the same rows give the same result, from a file or from
/// memory.
inline constexpr std::size_t rows_per_block = 65536;

/// What to do with a row that has a missing value in one of the columns asked for.
enum class Missing { error, drop };

/// Some columns of a table, complete rows only. Every block but the last has rows_per_block rows; a table
/// that has no complete row is an InputError.
class CompleteRows {
 public:
  CompleteRows(std::unique_ptr<Table> table, std::span<const std::string> columns, Missing missing);

  /// Goes to the next block and returns its number of rows, 0 at the end.
  std::size_t next();
  /// Column i, in the order asked for, of the block; holds until the next call.
  [[nodiscard]] std::span<const double> column(std::size_t i) const { return kept_.columns[i]; }
  /// Starts again at the first row.
  void rewind();
  /// Rows left out since the start.
  [[nodiscard]] std::size_t dropped() const { return dropped_; }
  /// "cars.csv: line 12, column 'weight'" for row r of the block and column i.
  [[nodiscard]] std::string where(std::size_t r, std::size_t i) const {
    return table_->where(kept_.places[r], numbers_[i]);
  }

 private:
  void keep_complete();

  std::unique_ptr<Table> table_;
  std::vector<std::size_t> numbers_;
  Missing missing_;
  NumberBlock read_;
  NumberBlock kept_;
  std::size_t rows_ = 0;
  std::size_t dropped_ = 0;
};

/// All of one column, with no missing value left.
std::vector<double> read_column(std::unique_ptr<Table> table, const std::string& column, Missing missing);

/// The columns a fit reads; an empty `weight` gives every row the weight 1.
struct RowColumns {
  std::string x;
  std::string y;
  std::string weight;
};

/// Rows of a table. Negative weights are an InputError.
class TableRows final : public RowStream {
 public:
  TableRows(std::unique_ptr<Table> table, const RowColumns& columns, Missing missing);

  RowBlock next() override;
  void rewind() override { rows_.rewind(); }
  [[nodiscard]] std::size_t dropped() const { return rows_.dropped(); }

 private:
  CompleteRows rows_;
  bool weighted_;
};

/// Rows in memory, which must outlive the stream; an empty `weight` gives every row the weight 1. Arrays of
/// different lengths, values that are not finite and negative weights are an InputError.
class MemoryRows final : public RowStream {
 public:
  MemoryRows(std::span<const double> x, std::span<const double> y, std::span<const double> weight = {});

  RowBlock next() override;
  void rewind() override { position_ = 0; }

 private:
  RowBlock all_;
  std::size_t position_ = 0;
};

}  // namespace linkgistic

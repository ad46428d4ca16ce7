// Complete rows in blocks.
#include "table/row_stream.hpp"

#include <algorithm>
#include <utility>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

std::vector<NamedColumn> fit_columns(const RowColumns& columns) {
  std::vector<NamedColumn> named{{columns.x, CellType::number}, {columns.y, CellType::number}};
  if (!columns.weight.empty()) named.push_back({columns.weight, CellType::weight});
  return named;
}

std::vector<NamedColumn> number_columns(std::span<const std::string> names) {
  std::vector<NamedColumn> named;
  for (const std::string& name : names) named.push_back({name, CellType::number});
  return named;
}

}  // namespace

CompleteRows::CompleteRows(std::unique_ptr<Table> table, std::span<const NamedColumn> columns,
                           MissingValues missing)
    : table_(std::move(table)), missing_(missing) {
  for (const auto& [name, type] : columns) asked_.push_back({table_->columns().find(name), type});
}

CompleteRows::CompleteRows(std::unique_ptr<Table> table, std::span<const std::string> columns,
                           MissingValues missing)
    : CompleteRows(std::move(table), number_columns(columns), missing) {}

std::size_t CompleteRows::next() {
  block_.clear();
  while (block_.rows() < rows_per_block) {
    const std::size_t first = block_.rows();
    const std::size_t count = table_->read(asked_, rows_per_block - first, block_);
    if (count == 0) break;
    if (block_.missing == 0) continue;
    if (missing_ != MissingValues::drop)
      refuse_gap(*table_, asked_, block_, "--missing drop leaves such rows out");
    dropped_ += count - block_.keep_complete(first).size();
    block_.missing = 0;
  }
  rows_ += block_.rows();
  if (rows_ == 0) refuse_no_rows(table_->name(), dropped_);
  return block_.rows();
}

void CompleteRows::rewind() {
  table_->rewind();
  rows_ = 0;
  dropped_ = 0;
}

std::vector<double> read_column(std::unique_ptr<Table> table, const std::string& column,
                                MissingValues missing) {
  CompleteRows rows(std::move(table), std::span(&column, 1), missing);
  std::vector<double> values;
  while (rows.next() > 0) values.insert(values.end(), rows.column(0).begin(), rows.column(0).end());
  return values;
}

TableRows::TableRows(std::unique_ptr<Table> table, const RowColumns& columns, MissingValues missing)
    : rows_(std::move(table), fit_columns(columns), missing), weighted_(!columns.weight.empty()) {}

RowBlock TableRows::next() {
  rows_.next();
  return {rows_.column(0), rows_.column(1), weighted_ ? rows_.column(2) : std::span<const double>()};
}

MemoryRows::MemoryRows(std::span<const double> x, std::span<const double> y, std::span<const double> weight)
    : MemoryRows(RowBlock{x, y, weight}) {}

MemoryRows::MemoryRows(const RowBlock& rows) : all_(rows) {
  const std::size_t n = rows.x.size();
  if (n == 0) throw InputError("x has no values");
  std::string sizes = "x has " + counted(n, "value") + ", y has " + std::to_string(rows.y.size());
  bool good = rows.y.size() == n;
  for (const auto& [name, column] : {std::pair{"weight", rows.weight},
                                     {"offset", rows.offset},
                                     {"exposure", rows.exposure},
                                     {"trials", rows.trials}}) {
    if (column.empty()) continue;
    sizes += std::string(", ") + name + " has " + std::to_string(column.size());
    good = good && column.size() == n;
  }
  if (!good) throw InputError(sizes + ": they must have the same length");
}

RowBlock MemoryRows::next() {
  const std::size_t first = position_, count = std::min(rows_per_block, all_.size() - first);
  position_ += count;
  const auto part = [&](std::span<const double> column) {
    return column.empty() ? column : column.subspan(first, count);
  };
  return {part(all_.x),      part(all_.y),        part(all_.weight),
          part(all_.offset), part(all_.exposure), part(all_.trials)};
}

}  // namespace linkgistic

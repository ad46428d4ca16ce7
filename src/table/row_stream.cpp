// Complete rows in blocks.
#include "table/row_stream.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

std::vector<std::string> names(const RowColumns& columns) {
  if (columns.weight.empty()) return {columns.x, columns.y};
  return {columns.x, columns.y, columns.weight};
}

// x - x is 0 for a finite x and NaN otherwise; the sum is a loop the compiler can vectorise.
void require_finite(std::span<const double> values, const char* name) {
  bool finite = true;
  for (const double x : values) finite &= x - x == 0;
  if (finite) return;
  const auto bad = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  throw InputError(std::string(name) + "[" + std::to_string(bad - values.begin()) +
                   "] is not a finite number");
}

void require_length(std::span<const double> values, std::size_t length, const char* name) {
  if (values.size() == length) return;
  throw InputError(std::string(name) + " has " + counted(values.size(), "value") + ", x has " +
                   std::to_string(length));
}

auto first_negative(std::span<const double> values) {
  return std::find_if(values.begin(), values.end(), [](double w) { return w < 0; }) - values.begin();
}

}  // namespace

CompleteRows::CompleteRows(std::unique_ptr<Table> table, std::span<const std::string> columns,
                           Missing missing)
    : table_(std::move(table)), missing_(missing) {
  for (const std::string& name : columns) numbers_.push_back(table_->column(name));
  kept_.columns.resize(numbers_.size());
}

std::size_t CompleteRows::next() {
  for (auto& values : kept_.columns) values.clear();
  kept_.places.clear();
  while (kept_.places.size() < rows_per_block &&
         table_->read(numbers_, rows_per_block - kept_.places.size(), read_) > 0) {
    keep_complete();
  }
  rows_ += kept_.places.size();
  if (rows_ == 0) {
    throw InputError(
        table_->name() +
        (dropped_ == 0 ? ": there are no rows"
                       : ": no row is left, each of " + counted(dropped_, "row") + " has a missing value"));
  }
  return kept_.places.size();
}

void CompleteRows::keep_complete() {
  for (std::size_t r = 0; r < read_.places.size(); ++r) {
    const auto gap = std::find_if(read_.columns.begin(), read_.columns.end(),
                                  [r](const auto& values) { return std::isnan(values[r]); });
    if (gap == read_.columns.end()) {
      for (std::size_t i = 0; i < numbers_.size(); ++i) kept_.columns[i].push_back(read_.columns[i][r]);
      kept_.places.push_back(read_.places[r]);
    } else if (missing_ == Missing::drop) {
      ++dropped_;
    } else {
      const auto i = static_cast<std::size_t>(gap - read_.columns.begin());
      throw InputError(table_->where(read_.places[r], numbers_[i]) +
                       ": missing value (--missing drop leaves such rows out)");
    }
  }
}

void CompleteRows::rewind() {
  table_->rewind();
  rows_ = 0;
  dropped_ = 0;
}

std::vector<double> read_column(std::unique_ptr<Table> table, const std::string& column, Missing missing) {
  CompleteRows rows(std::move(table), std::span(&column, 1), missing);
  std::vector<double> values;
  while (rows.next() > 0) values.insert(values.end(), rows.column(0).begin(), rows.column(0).end());
  return values;
}

TableRows::TableRows(std::unique_ptr<Table> table, const RowColumns& columns, Missing missing)
    : rows_(std::move(table), names(columns), missing), weighted_(!columns.weight.empty()) {}

RowBlock TableRows::next() {
  const std::size_t count = rows_.next();
  RowBlock block{rows_.column(0), rows_.column(1), {}};
  if (weighted_) {
    block.weight = rows_.column(2);
    const auto bad = static_cast<std::size_t>(first_negative(block.weight));
    if (bad < count) throw InputError(rows_.where(bad, 2) + ": a weight must not be negative");
  }
  return block;
}

MemoryRows::MemoryRows(std::span<const double> x, std::span<const double> y, std::span<const double> weight)
    : all_{x, y, weight} {
  if (x.empty()) throw InputError("x has no values");
  require_length(y, x.size(), "y");
  if (!weight.empty()) require_length(weight, x.size(), "weights");
  require_finite(x, "x");
  require_finite(y, "y");
  require_finite(weight, "weights");
  const auto bad = static_cast<std::size_t>(first_negative(weight));
  if (bad < weight.size()) throw InputError("weights[" + std::to_string(bad) + "] is negative");
}

RowBlock MemoryRows::next() {
  const std::size_t count = std::min(rows_per_block, all_.size() - position_);
  RowBlock block{all_.x.subspan(position_, count), all_.y.subspan(position_, count), {}};
  if (!all_.weight.empty()) block.weight = all_.weight.subspan(position_, count);
  position_ += count;
  return block;
}

}  // namespace linkgistic

#include "rows/row_joiner.hpp"

#include <algorithm>
#include <utility>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {

void RowJoiner::add(const std::string& name, RowMatrix rows) {
  if (pieces_ == 0) {
    first_name_ = name;
    columns_ = rows.columns();
    rows_ = rows.rows();
    first_ = std::move(rows);
    ++pieces_;
    return;
  }
  if (!rows.is_sparse() && rows.columns() != columns_)
    throw InputError(name + ": has " + counted(rows.columns(), "column") + ", and " + first_name_ + " has " +
                     std::to_string(columns_));
  if (pieces_++ == 1) append(*std::exchange(first_, std::nullopt));
  columns_ = std::max(columns_, rows.columns());
  rows_ += rows.rows();
  append(rows);
}

void RowJoiner::append(const RowMatrix& rows) {
  if (const auto* bytes = std::get_if<DenseRows<std::uint8_t>>(&rows.storage())) {
    const std::size_t count = bytes->rows * bytes->columns;
    std::copy_n(bytes->values.data(), count, bytes_.extend(count));
  } else if (const auto* singles = std::get_if<DenseRows<float>>(&rows.storage())) {
    const std::size_t count = singles->rows * singles->columns;
    std::copy_n(singles->values.data(), count, singles_.extend(count));
  } else {
    const auto& sparse = std::get<CsrRows>(rows.storage());
    const std::int64_t before = row_start_.back();
    for (std::size_t i = 1; i <= sparse.rows; ++i) row_start_.push_back(before + sparse.row_start[i]);
    const auto count = static_cast<std::size_t>(sparse.row_start[sparse.rows]);
    std::copy_n(sparse.column.data(), count, entries_.extend(count));
    float* const out = singles_.extend(count);
    for (std::size_t e = 0; e < count; ++e) out[e] = sparse.value[e];
  }
}

RowMatrix RowJoiner::take() {
  if (first_) return *std::move(first_);
  if (row_start_.size() > 1)
    return RowMatrix(CsrRows{rows_, columns_, std::move(row_start_), entries_.share(), singles_.share()});
  if (bytes_.size() > 0) return RowMatrix(DenseRows<std::uint8_t>{rows_, columns_, bytes_.share()});
  return RowMatrix(DenseRows<float>{rows_, columns_, singles_.share()});
}

}  // namespace linkgistic

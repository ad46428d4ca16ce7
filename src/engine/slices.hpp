// A piece of the rows of an engine, sharing their values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "engine/selection.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {

template <class T>
DenseRows<T> slice(const DenseRows<T>& rows, std::size_t first, std::size_t last) {
  return {last - first, rows.columns, rows.values.part(first * rows.columns, (last - first) * rows.columns)};
}

template <class T>
ViewRows<T> slice(const ViewRows<T>& view, std::size_t first, std::size_t last) {
  ViewRows<T> result = view;
  result.rows = last - first;
  const std::size_t begin = std::min(first * view.row_step, view.values.size());
  result.values = view.values.part(begin, view.values.size() - begin);
  return result;
}

inline CsrRows slice(const CsrRows& rows, std::size_t first, std::size_t last) {
  const std::int64_t begin = rows.row_start[first];
  std::vector<std::int64_t> start;
  for (std::size_t i = first; i <= last; ++i) start.push_back(rows.row_start[i] - begin);
  const auto from = static_cast<std::size_t>(begin);
  const auto count = static_cast<std::size_t>(start.back());
  return {last - first, rows.columns, std::move(start), rows.column.part(from, count),
          rows.value.part(from, count)};
}

/// Rows first .. last-1 in the same storage.
inline RowMatrix slice_rows(const RowMatrix& matrix, std::size_t first, std::size_t last) {
  return std::visit([&](const auto& s) { return RowMatrix(slice(s, first, last)); }, matrix.storage());
}

/// What the parts do with these rows alone.
inline RowParts slice_parts(const RowParts& parts, std::size_t first, std::size_t last) {
  RowParts result(parts.size(), last - first);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto part = static_cast<std::int32_t>(p);
    for (std::size_t n = first; n < last; ++n) {
      if (parts.takes({Selection::Rows::train, part}, n)) result.set_train(n - first, p);
      if (parts.takes({Selection::Rows::held_out, part}, n)) result.set_held_out(n - first, p);
    }
  }
  return result;
}

}  // namespace linkgistic

#include "table/cells.hpp"

#include <algorithm>

namespace linkgistic {
namespace {

template <class T>
void keep_items(std::vector<T>& items, std::span<const std::size_t> rows, std::size_t first) {
  if (items.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) items[first + i] = items[rows[i]];
  items.resize(first + rows.size());
}

}  // namespace

void CellColumn::clear() {
  numbers.clear();
  characters_.clear();
  pieces_.clear();
}

void CellColumn::keep(std::span<const std::size_t> rows, std::size_t first) {
  keep_items(numbers, rows, first);
  keep_items(pieces_, rows, first);
}

void CellBlock::clear() {
  for (CellColumn& column : columns) column.clear();
  places.clear();
  words.clear();
  missing = 0;
}

std::size_t CellBlock::gap_in(std::size_t row, std::size_t first) const {
  while (first < columns.size() && !columns[first].is_missing(row)) ++first;
  return first;
}

std::vector<std::size_t> CellBlock::keep_complete(std::size_t row, std::size_t first) {
  std::vector<std::size_t> kept;
  for (std::size_t r = row; r < rows(); ++r) {
    if (missing == 0 || gap_in(r, first) == columns.size()) kept.push_back(r);
  }
  if (row + kept.size() == rows()) return kept;
  for (CellColumn& column : columns) column.keep(kept, row);
  keep_items(places, kept, row);
  std::erase_if(words, [&](CellWord& word) {
    if (word.row < row) return false;
    const auto place = std::lower_bound(kept.begin(), kept.end(), word.row);
    if (place == kept.end() || *place != word.row) return true;
    word.row = row + static_cast<std::size_t>(place - kept.begin());
    return false;
  });
  return kept;
}

}  // namespace linkgistic

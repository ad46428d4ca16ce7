// The order of every sum over rows: one grid of leaves over the rows' global numbers, one complete binary
// tree over the leaves. Rows may be cut among threads, partitions and machines anywhere on the grid: a
// contiguous range of leaves is a few complete subtrees, merging siblings is the only addition, and so the
// same bits come out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "numeric/tree_sum.hpp"

namespace linkgistic {

/// What the grid depends on: the width and the storage of the whole data.
struct RowsShape {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;  // stored values
  bool sparse = false;
  std::uint32_t labels = 0;  // they are 0 .. labels-1

  auto fields() { return std::tie(rows, columns, entries, sparse, labels); }
};

class Grid {
 public:
  /// Rows of a leaf: a 2048th of its work is the addition of its gradient to the next one's.
  static constexpr std::uint64_t leaf_rows = 1024;

  Grid() = default;
  explicit Grid(const RowsShape& shape) : rows_(shape.rows) {
    // The sums of sparse columns must not outweigh the entries they are made of; row numbers of a group are
    // 15 bits in the column-by-column copy.
    if (shape.sparse) {
      while (group_level_ < 5 &&
             shape.entries * (leaf_rows << group_level_) < 64 * shape.columns * shape.rows)
        ++group_level_;
    }
    block_level_ = std::max(2U, group_level_);
  }

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t leaves() const { return (rows_ + leaf_rows - 1) / leaf_rows; }
  /// 2^group_level leaves whose gradient is summed as one.
  [[nodiscard]] unsigned group_level() const { return group_level_; }
  [[nodiscard]] std::uint64_t group_rows() const { return leaf_rows << group_level_; }
  /// 2^block_level leaves: what a partition holds is whole blocks, and answers that are large next to a leaf
  /// (the cells of scores) are summed by blocks.
  [[nodiscard]] unsigned block_level() const { return block_level_; }
  [[nodiscard]] std::uint64_t block_rows() const { return leaf_rows << block_level_; }

 private:
  std::uint64_t rows_ = 0;
  unsigned group_level_ = 0;
  unsigned block_level_ = 2;
};

}  // namespace linkgistic

// A second copy of sparse rows for the gradient half of the pass: blocks of rows, each stored column by
// column, so that a column of the gradient is a sum in a register over residuals that stay in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/grid.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {

/// Sparse rows cut into blocks of rows and windows of columns. In a tile (a block and a window) the columns
/// stand by falling number of entries. Those with at least `long_column` entries are a group each, their
/// entries padded to whole steps of `lanes`; the others go in groups of `lanes` columns, entry s of column l
/// of a group at slot s lanes + l, padded to the longest of the group. Padding has value 0 and row 0. An
/// entry takes 6 bytes here and 8 in the rows themselves.
class ColumnBlocks {
 public:
  static constexpr std::size_t most_rows = std::size_t{1} << 15;  // of a block
  static constexpr std::size_t lanes = 16;
  static constexpr std::size_t long_column = 64;

  struct Tile {
    std::size_t first_slot = 0;
    std::size_t first_group = 0;
    std::size_t first_column = 0;  // into `columns`
    std::size_t long_groups = 0;
    std::size_t groups = 0;  // the long ones included
  };
  struct Block {
    std::vector<Tile> tiles;             // one a window
    std::vector<std::uint32_t> steps;    // (groups)
    std::vector<std::uint16_t> columns;  // within the window: one a long group, `lanes` any other
    std::vector<std::uint16_t> rows;     // (slots) within the block
    std::vector<float> values;           // (slots)
  };

  /// `rows` must have a column. A block is a group of the grid.
  ColumnBlocks(const CsrRows& rows, const Grid& grid, int threads);

  /// Whether passes over such rows gain by the copy: columns beyond the first-level cache, and enough
  /// entries that a pass outweighs its fixed cost.
  static bool pay_for(const RowsShape& rows);

  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] std::size_t windows() const { return ((columns_ - 1) >> window_shift_) + 1; }
  [[nodiscard]] std::size_t window_columns() const { return std::size_t{1} << window_shift_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::size_t columns_;
  int window_shift_;
  std::vector<Block> blocks_;
};

}  // namespace linkgistic

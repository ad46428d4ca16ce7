// Builds the column-by-column copy of sparse rows, block by block.
#include "compute/column_blocks.hpp"

#include <algorithm>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

// Windows small enough that their sums stay in the second-level cache, and a multiple of 16 of them so that
// threads share them evenly.
std::size_t window_size(std::size_t columns) {
  constexpr std::size_t most = 8192;
  constexpr std::size_t even = 16;
  const std::size_t windows = even * std::max<std::size_t>(1, (columns + even * most - 1) / (even * most));
  return std::max<std::size_t>(1, (columns + windows - 1) / windows);
}

// Where the next entry of a column goes, and how far the one after it is.
struct Cursor {
  std::uint32_t slot = 0;
  std::uint32_t stride = 0;
};

class BlockBuilder {
 public:
  BlockBuilder(const CsrRows& matrix, std::size_t window, std::size_t first, std::size_t last)
      : matrix_(matrix), window_(window), first_(first), last_(last), cursors_(matrix.columns) {}

  ColumnBlocks::Block build() {
    count();
    for (std::size_t begin = 0; begin < matrix_.columns; begin += window_) {
      lay_out(begin, std::min(begin + window_, matrix_.columns));
    }
    fill();
    return std::move(block_);
  }

 private:
  static constexpr std::size_t lanes = ColumnBlocks::lanes;
  static constexpr std::size_t long_column = ColumnBlocks::long_column;

  // Entries of a column, in its cursor's slot until it is laid out.
  void count() {
    for (std::int64_t e = matrix_.row_start[first_]; e < matrix_.row_start[last_]; ++e) {
      ++cursors_[static_cast<std::size_t>(matrix_.column[static_cast<std::size_t>(e)])].slot;
    }
  }

  void lay_out(std::size_t begin, std::size_t end) {
    ColumnBlocks::Tile tile{slots_, block_.steps.size(), block_.columns.size(), 0, 0};
    std::size_t by_count[long_column + 1] = {};  // columns with so many entries; the last: or more
    for (std::size_t j = begin; j < end; ++j)
      ++by_count[std::min<std::size_t>(cursors_[j].slot, long_column)];
    std::size_t place[long_column];  // of the next column with so many entries, by falling count
    std::size_t shorts = 0;
    for (std::size_t c = long_column - 1; c > 0; --c) {
      place[c] = shorts;
      shorts += by_count[c];
    }
    tile.long_groups = by_count[long_column];
    order_.resize(shorts);
    for (std::size_t j = begin; j < end; ++j) {
      const std::size_t entries = cursors_[j].slot;
      if (entries >= long_column) {
        block_.columns.push_back(static_cast<std::uint16_t>(j - begin));
        cursors_[j] = {static_cast<std::uint32_t>(slots_), 1};
        add_group(entries);
      } else if (entries > 0) {
        order_[place[entries]++] = j;
      }
    }
    for (std::size_t i = 0; i < shorts; i += lanes) {
      const std::size_t longest = cursors_[order_[i]].slot;
      for (std::size_t l = 0; l < lanes; ++l) {
        const bool used = i + l < shorts;
        block_.columns.push_back(used ? static_cast<std::uint16_t>(order_[i + l] - begin) : std::uint16_t{0});
        if (used) cursors_[order_[i + l]] = {static_cast<std::uint32_t>(slots_ + l), lanes};
      }
      add_group(longest * lanes);
    }
    tile.groups = block_.steps.size() - tile.first_group;
    block_.tiles.push_back(tile);
  }

  void add_group(std::size_t entries) {
    const std::size_t steps = (entries + lanes - 1) / lanes;
    block_.steps.push_back(static_cast<std::uint32_t>(steps));
    slots_ += steps * lanes;
  }

  void fill() {
    block_.rows.resize(slots_);
    block_.values.resize(slots_);
    for (std::size_t i = first_; i < last_; ++i) {
      for (std::int64_t e = matrix_.row_start[i]; e < matrix_.row_start[i + 1]; ++e) {
        const auto entry = static_cast<std::size_t>(e);
        Cursor& cursor = cursors_[static_cast<std::size_t>(matrix_.column[entry])];
        block_.rows[cursor.slot] = static_cast<std::uint16_t>(i - first_);
        block_.values[cursor.slot] = matrix_.value[entry];
        cursor.slot += cursor.stride;
      }
    }
  }

  const CsrRows& matrix_;
  std::size_t window_;
  std::size_t first_;
  std::size_t last_;
  std::size_t slots_ = 0;
  std::vector<Cursor> cursors_;     // (columns)
  std::vector<std::size_t> order_;  // short columns of a window by falling count
  ColumnBlocks::Block block_;
};

}  // namespace

ColumnBlocks::ColumnBlocks(const CsrRows& rows, int threads)
    : columns_(rows.columns),
      window_(window_size(rows.columns)),
      blocks_((rows.rows + rows_per_block - 1) / rows_per_block) {
  parallel_for(blocks_.size(), threads, [&](std::size_t b) {
    const std::size_t first = b * rows_per_block;
    blocks_[b] = BlockBuilder(rows, window_, first, std::min(first + rows_per_block, rows.rows)).build();
  });
}

bool ColumnBlocks::pay_for(const RowMatrix& rows) {
  constexpr std::size_t cached_columns = 4096;
  constexpr std::size_t worthwhile_entries = std::size_t{1} << 20;
  return rows.is_sparse() && rows.columns() > cached_columns && rows.entries() > worthwhile_entries &&
         rows.entries() > rows.columns();
}

std::size_t ColumnBlocks::bytes() const {
  std::size_t total = 0;
  for (const Block& block : blocks_) {
    total += block.tiles.size() * sizeof(Tile) + block.steps.size() * sizeof(std::uint32_t) +
             block.columns.size() * sizeof(std::uint16_t) +
             block.rows.size() * (sizeof(std::uint16_t) + sizeof(float));
  }
  return total;
}

}  // namespace linkgistic

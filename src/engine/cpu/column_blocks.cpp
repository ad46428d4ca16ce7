// Builds the column-by-column copy of sparse rows, block by block.
#include "engine/cpu/column_blocks.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

// Windows of a power of two of columns, small enough that their sums stay in the second-level cache, and at
// least 16 of them where the columns allow, so that threads share them evenly.
int window_shift(std::size_t columns) {
  constexpr int most = 13;
  constexpr std::size_t enough = 16;
  int shift = most;
  while (shift > 4 && (columns >> shift) < enough) --shift;
  return shift;
}

// Where the next entry of a column goes, and how far the one after it is.
struct Cursor {
  std::uint32_t slot = 0;
  std::uint32_t stride = 0;
};

struct Entry {
  std::uint16_t column;  // within the window
  std::uint16_t row;     // within the block
  float value;
};

// Sorts the entries of a block by window first: then what a window's columns count and where their entries go
// stays in the cache.
class BlockBuilder {
 public:
  // `entries` is room that a thread keeps from block to block.
  BlockBuilder(const CsrRows& matrix, int shift, std::size_t first, std::size_t last,
               std::vector<Entry>& entries)
      : matrix_(matrix),
        shift_(shift),
        first_(first),
        last_(last),
        entries_(entries),
        window_start_(((matrix.columns - 1) >> shift) + 2),
        cursors_(matrix.columns) {}

  ColumnBlocks::Block build() {
    split_by_window();
    const std::size_t windows = window_start_.size() - 1;
    for (std::size_t w = 0; w < windows; ++w) {
      const std::size_t begin = w << shift_;
      count(w);
      lay_out(begin, std::min(begin + (std::size_t{1} << shift_), matrix_.columns));
    }
    block_.rows.resize(slots_);
    block_.values.resize(slots_);
    for (std::size_t w = 0; w < windows; ++w) fill(w);
    return std::move(block_);
  }

 private:
  static constexpr std::size_t lanes = ColumnBlocks::lanes;
  static constexpr std::size_t long_column = ColumnBlocks::long_column;

  void split_by_window() {
    const auto window_of = [&](std::size_t e) {
      return static_cast<std::size_t>(matrix_.column[e]) >> static_cast<unsigned>(shift_);
    };
    const auto begin = static_cast<std::size_t>(matrix_.row_start[first_]);
    const auto end = static_cast<std::size_t>(matrix_.row_start[last_]);
    if (entries_.size() < end - begin) entries_.resize(end - begin);
    for (std::size_t e = begin; e < end; ++e) ++window_start_[window_of(e) + 1];
    std::partial_sum(window_start_.begin(), window_start_.end(), window_start_.begin());
    std::vector<std::size_t> next = window_start_;
    const std::int32_t mask = (std::int32_t{1} << shift_) - 1;
    for (std::size_t i = first_; i < last_; ++i) {
      for (auto e = static_cast<std::size_t>(matrix_.row_start[i]);
           e < static_cast<std::size_t>(matrix_.row_start[i + 1]); ++e) {
        entries_[next[window_of(e)]++] = {static_cast<std::uint16_t>(matrix_.column[e] & mask),
                                          static_cast<std::uint16_t>(i - first_), matrix_.value[e]};
      }
    }
  }

  [[nodiscard]] std::span<const Entry> window(std::size_t w) const {
    return std::span(entries_).subspan(window_start_[w], window_start_[w + 1] - window_start_[w]);
  }

  // Entries of a column, in its cursor's slot until it is laid out.
  void count(std::size_t w) {
    Cursor* cursors = cursors_.data() + (w << shift_);
    for (const Entry& entry : window(w)) ++cursors[entry.column].slot;
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

  void fill(std::size_t w) {
    Cursor* cursors = cursors_.data() + (w << shift_);
    for (const Entry& entry : window(w)) {
      Cursor& cursor = cursors[entry.column];
      block_.rows[cursor.slot] = entry.row;
      block_.values[cursor.slot] = entry.value;
      cursor.slot += cursor.stride;
    }
  }

  const CsrRows& matrix_;
  int shift_;
  std::size_t first_;
  std::size_t last_;
  std::size_t slots_ = 0;
  std::vector<Entry>& entries_;            // by window
  std::vector<std::size_t> window_start_;  // (windows + 1)
  std::vector<Cursor> cursors_;            // (columns)
  std::vector<std::size_t> order_;         // short columns of a window by falling count
  ColumnBlocks::Block block_;
};

}  // namespace

ColumnBlocks::ColumnBlocks(const CsrRows& rows, const Grid& grid, int threads)
    : columns_(rows.columns),
      window_shift_(window_shift(rows.columns)),
      blocks_((rows.rows + grid.group_rows() - 1) / grid.group_rows()) {
  const std::size_t rows_per_block = grid.group_rows();
  std::vector<std::vector<Entry>> room(static_cast<std::size_t>(thread_count(threads)));
  parallel_for(blocks_.size(), threads, [&](std::size_t b) {
    const std::size_t first = b * rows_per_block;
    const std::size_t last = std::min(first + rows_per_block, rows.rows);
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    blocks_[b] = BlockBuilder(rows, window_shift_, first, last, room[thread]).build();
  });
}

bool ColumnBlocks::pay_for(const RowsShape& rows) {
  constexpr std::size_t cached_columns = 4096;
  constexpr std::size_t worthwhile_entries = std::size_t{1} << 20;
  return rows.sparse && rows.columns > cached_columns && rows.entries > worthwhile_entries &&
         rows.entries > rows.columns;
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

// Rows that are cut among partitions: where partitions begin on the grid, and how their answers come
// together. Answers travel as bytes and may arrive in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/grid.hpp"
#include "numeric/bytes.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

/// A contiguous piece of the rows.
struct RowSpan {
  std::size_t first = 0, last = 0;
  [[nodiscard]] std::size_t size() const { return last - first; }
};

/// The pieces that partitions hold which begin at the rows `cuts` (any order, repeated ones are empty
/// partitions). A partition that begins within a block hands the rows before the next block to its left
/// neighbour, so that a piece is whole blocks; what is empty then is left out.
inline std::vector<RowSpan> partition_rows(std::vector<std::size_t> cuts, std::size_t block_rows,
                                           std::size_t rows) {
  cuts.push_back(0);
  for (std::size_t& cut : cuts)
    cut = std::min((std::min(cut, rows) + block_rows - 1) / block_rows * block_rows, rows);
  cuts.push_back(rows);
  std::sort(cuts.begin(), cuts.end());
  std::vector<RowSpan> pieces;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    if (cuts[i] < cuts[i + 1]) pieces.push_back({cuts[i], cuts[i + 1]});
  return pieces;
}

/// 0 .. size-1 in a random order.
inline std::vector<std::size_t> shuffled(std::size_t size, RandomStream& random) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// What a partition sends: its complete subtrees.
template <class A>
std::string message_of(const std::vector<TreeNode<A>>& nodes) {
  ByteWriter writer;
  writer(static_cast<std::uint64_t>(nodes.size()));
  for (const TreeNode<A>& node : nodes) {
    writer(node.level);
    writer(node.index);
    writer(node.value);
  }
  return writer.bytes();
}

/// The nodes of messages that came in any order, from left to right.
template <class A>
std::vector<TreeNode<A>> nodes_of(const std::vector<std::string>& messages) {
  std::vector<TreeNode<A>> nodes;
  for (const std::string& message : messages) {
    ByteReader reader(message);
    std::uint64_t size = 0;
    reader(size);
    for (; size > 0; --size) {
      TreeNode<A>& node = nodes.emplace_back();
      reader(node.level);
      reader(node.index);
      if (node.level > 40 || node.index >> (63 - node.level) != 0)
        throw InputError("an answer is for rows that cannot be");
      reader(node.value);
    }
  }
  std::sort(nodes.begin(), nodes.end(), [](const TreeNode<A>& a, const TreeNode<A>& b) {
    return a.index << a.level < b.index << b.level;
  });
  return nodes;
}

/// The nodes of all partitions: `partial(i)` has those of partition i, asked in a random order.
template <class A, class Partial>
std::vector<TreeNode<A>> gather(std::size_t partitions, RandomStream& random, const Partial& partial) {
  std::vector<std::string> messages;
  for (const std::size_t i : shuffled(partitions, random)) messages.push_back(message_of<A>(partial(i)));
  return nodes_of<A>(messages);
}

}  // namespace linkgistic

#include "engine/grid.hpp"

#include <string>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// A sum that shows its order.
struct Shown {
  std::string text;
};
void join(Shown& left, const Shown& right) { left.text = "(" + left.text + right.text + ")"; }

using Tree = TreeSum<Shown, void (*)(Shown&, const Shown&)>;

std::string shown_leaf(std::uint64_t leaf) {
  std::string text = "[";
  return text.append(std::to_string(leaf)).append("]");
}

// The complete binary tree over leaves first .. first + 2^level - 1 of `leaves`, by its definition: a node
// without a right sibling moves up unchanged.
std::string defined(std::uint64_t leaves, unsigned level, std::uint64_t index) {
  if (level == 0) return shown_leaf(index);
  const std::string left = defined(leaves, level - 1, 2 * index);
  if ((2 * index + 1) << (level - 1) >= leaves) return left;
  return "(" + left + defined(leaves, level - 1, 2 * index + 1) + ")";
}

TEST(TreeSum, AddsInTheOrderOfTheCompleteTree) {
  for (std::uint64_t leaves = 1; leaves <= 70; ++leaves) {
    Tree tree(join);
    for (std::uint64_t i = 0; i < leaves; ++i) tree.push({0, i, {shown_leaf(i)}});
    unsigned level = 0;
    while ((std::uint64_t{1} << level) < leaves) ++level;
    EXPECT_EQ(tree.take_total().text, defined(leaves, level, 0)) << leaves;
  }
}

TEST(TreeSum, IsTheSameForAnyPartitionOfTheLeaves) {
  RandomStream random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint64_t leaves = 1 + random.below(130);
    Tree whole(join);
    for (std::uint64_t i = 0; i < leaves; ++i) whole.push({0, i, {shown_leaf(i)}});
    Tree total(join);
    for (std::uint64_t first = 0; first < leaves;) {
      const std::uint64_t last = std::min(leaves, first + 1 + random.below(40));
      Tree part(join);
      for (std::uint64_t i = first; i < last; ++i) part.push({0, i, {shown_leaf(i)}});
      auto nodes = part.take_nodes();
      EXPECT_LE(nodes.size(), 14U);  // two for each level of 40 leaves
      for (auto& node : nodes) total.push(std::move(node));
      first = last;
    }
    EXPECT_EQ(total.take_total().text, whole.take_total().text);
  }
}

TEST(Grid, GroupsSparseRowsUntilTheirEntriesOutweighTheirSums) {
  const Grid dense({100'000, 784, 78'400'000, false, 2});
  EXPECT_EQ(dense.group_rows(), 1024U);
  EXPECT_EQ(dense.block_rows(), 4096U);
  const Grid sparse({100'000, 50'000, 10'000'000, true, 2});
  EXPECT_EQ(sparse.group_rows(), 32768U);
  EXPECT_EQ(sparse.block_rows(), 32768U);
  EXPECT_EQ(Grid({5000, 20, 50'000, true, 2}).group_rows(), 1024U);
}

}  // namespace
}  // namespace linkgistic

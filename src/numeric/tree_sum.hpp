// Sums along the complete binary tree over numbered leaves: a contiguous range of leaves is a few complete
// subtrees, merging siblings is the only addition, and so the sum has the same bits wherever the range is
// cut.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace linkgistic {

/// A complete subtree: leaves index 2^level .. (index + 1) 2^level - 1, with what they sum to.
template <class T>
struct TreeNode {
  unsigned level = 0;
  std::uint64_t index = 0;
  T value;
};

/// Adds nodes from left to right; `merge(left, right)` adds the right one to the left one. At most one node a
/// level is pending for a range that begins at 0, two otherwise.
template <class T, class Merge>
class TreeSum {
 public:
  explicit TreeSum(Merge merge) : merge_(std::move(merge)) {}

  void push(TreeNode<T> node) {
    nodes_.push_back(std::move(node));
    while (nodes_.size() > 1 && siblings(nodes_[nodes_.size() - 2], nodes_.back())) {
      TreeNode<T>& left = nodes_[nodes_.size() - 2];
      merge_(left.value, nodes_.back().value);
      ++left.level;
      left.index /= 2;
      nodes_.pop_back();
    }
  }

  /// The complete subtrees, from left to right.
  [[nodiscard]] std::vector<TreeNode<T>> take_nodes() { return std::move(nodes_); }

  /// The root, of nodes that begin at leaf 0: a node without a right sibling moves up unchanged.
  [[nodiscard]] T take_total() {
    T total = std::move(nodes_.back().value);
    for (std::size_t i = nodes_.size() - 1; i-- > 0;) {
      merge_(nodes_[i].value, total);
      std::swap(nodes_[i].value, total);
    }
    nodes_.clear();
    return total;
  }

 private:
  static bool siblings(const TreeNode<T>& left, const TreeNode<T>& right) {
    return left.level == right.level && left.index % 2 == 0 && right.index == left.index + 1;
  }

  Merge merge_;
  std::vector<TreeNode<T>> nodes_;
};

/// Sums of many numbers at once.
using SumNodes = std::vector<TreeNode<std::vector<double>>>;

/// The complete subtrees of nodes that follow one another.
inline SumNodes merged_sums(SumNodes nodes) {
  auto add = [](std::vector<double>& left, const std::vector<double>& right) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += right[i];
  };
  TreeSum<std::vector<double>, decltype(add)> tree(add);
  for (auto& node : nodes) tree.push(std::move(node));
  return tree.take_nodes();
}

/// The sum of nodes that cover all leaves from 0 on, in order; of none, zeros.
inline std::vector<double> total_sum(SumNodes nodes, std::size_t size) {
  if (nodes.empty()) return std::vector<double>(size);
  auto add = [](std::vector<double>& left, const std::vector<double>& right) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += right[i];
  };
  TreeSum<std::vector<double>, decltype(add)> tree(add);
  for (auto& node : nodes) tree.push(std::move(node));
  return tree.take_total();
}

/// Leaves of this many rows.
inline constexpr std::size_t sum_leaf_rows = 1024;

/// Sums over rows that begin at leaf `first_leaf`: add(row, sums) adds a row to sums of this size.
template <class Add>
SumNodes sums_of_rows(std::size_t rows, std::uint64_t first_leaf, std::size_t size, const Add& add) {
  SumNodes nodes;
  for (std::size_t first = 0; first < rows; first += sum_leaf_rows) {
    std::vector<double> sums(size);
    for (std::size_t i = first; i < std::min(first + sum_leaf_rows, rows); ++i) add(i, std::span(sums));
    nodes.push_back({0, first_leaf + first / sum_leaf_rows, std::move(sums)});
    if (nodes.size() > 64) nodes = merged_sums(std::move(nodes));
  }
  return merged_sums(std::move(nodes));
}

}  // namespace linkgistic

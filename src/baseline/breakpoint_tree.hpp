// The breakpoints of an increasing piecewise linear function, in a splay tree (Sleator & Tarjan 1985) whose
// subtrees can be moved and have a line added in O(1). Written here because no packaged container has lazy
// updates of ranges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace linkgistic {

/// A pool of trees; a tree is the index of its root, `none` when empty.
class BreakpointForest {
 public:
  using Tree = std::int32_t;
  static constexpr Tree none = -1;

  /// A breakpoint: the function has the value `value` at `position`.
  struct Node {
    double position = 0;
    double value = 0;
    // Still to be done to all nodes below: value += slope position + offset, and then position += shift.
    double slope = 0;
    double offset = 0;
    double shift = 0;
    Tree left = none;
    Tree right = none;
  };

  explicit BreakpointForest(std::size_t capacity) { nodes_.reserve(capacity); }

  [[nodiscard]] const Node& operator[](Tree tree) const { return nodes_[index(tree)]; }

  /// A new root right (left) of all of the tree's breakpoints.
  Tree push_right(Tree tree, double position, double value);
  Tree push_left(Tree tree, double position, double value);

  /// value += slope position + offset for every breakpoint, and then position += shift.
  void update(Tree tree, double slope, double offset, double shift);

  /// Brings the breakpoint furthest to the right (left) to the root. Amortised O(log n).
  Tree rightmost(Tree tree);
  Tree leftmost(Tree tree);

  /// The breakpoints of value <= bound, and the others (which lie to their right). Amortised O(log n).
  struct Halves {
    Tree left;
    Tree right;
  };
  Halves split(Tree tree, double bound);

  /// Puts all of `part` left of `tree`, whose root is its leftmost breakpoint; and the mirror image.
  Tree join_left(Tree part, Tree tree);
  Tree join_right(Tree tree, Tree part);

 private:
  static std::size_t index(Tree tree) { return static_cast<std::size_t>(tree); }
  Node& at(Tree tree) { return nodes_[index(tree)]; }
  void apply(Tree tree, double slope, double offset, double shift);
  void push_down(Tree tree);
  /// Top-down splay along the path on which go_right(node) says where to turn.
  template <class GoRight>
  Tree splay(Tree tree, GoRight go_right);

  std::vector<Node> nodes_;
};

}  // namespace linkgistic

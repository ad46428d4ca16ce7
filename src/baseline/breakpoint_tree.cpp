#include "baseline/breakpoint_tree.hpp"

namespace linkgistic {

void BreakpointForest::apply(Tree tree, double slope, double offset, double shift) {
  if (tree == none) return;
  Node& node = at(tree);
  node.value += slope * node.position + offset;
  node.position += shift;
  // The pending update moves by node.shift first, so that the new line is read at position + node.shift.
  node.slope += slope;
  node.offset += offset + slope * node.shift;
  node.shift += shift;
}

void BreakpointForest::update(Tree tree, double slope, double offset, double shift) {
  apply(tree, slope, offset, shift);
}

void BreakpointForest::push_down(Tree tree) {
  Node& node = at(tree);
  apply(node.left, node.slope, node.offset, node.shift);
  apply(node.right, node.slope, node.offset, node.shift);
  node.slope = node.offset = node.shift = 0;
}

BreakpointForest::Tree BreakpointForest::push_right(Tree tree, double position, double value) {
  nodes_.push_back({.position = position, .value = value, .left = tree});
  return static_cast<Tree>(nodes_.size() - 1);
}

BreakpointForest::Tree BreakpointForest::push_left(Tree tree, double position, double value) {
  nodes_.push_back({.position = position, .value = value, .right = tree});
  return static_cast<Tree>(nodes_.size() - 1);
}

template <class GoRight>
BreakpointForest::Tree BreakpointForest::splay(Tree tree, GoRight go_right) {
  if (tree == none) return none;
  // Nodes known to lie left and right of the path's end, each a tree that grows at its inner edge.
  Tree left_root = none;
  Tree left_edge = none;
  Tree right_root = none;
  Tree right_edge = none;
  const auto link_left = [&](Tree node) {
    (left_edge == none ? left_root : at(left_edge).right) = node;
    left_edge = node;
  };
  const auto link_right = [&](Tree node) {
    (right_edge == none ? right_root : at(right_edge).left) = node;
    right_edge = node;
  };
  push_down(tree);
  for (;;) {
    const bool right = go_right(at(tree));
    const auto inner = right ? &Node::left : &Node::right, outer = right ? &Node::right : &Node::left;
    Tree child = at(tree).*outer;
    if (child == none) break;
    push_down(child);
    if (go_right(at(child)) == right && at(child).*outer != none) {  // zig-zig: rotate, then link
      at(tree).*outer = at(child).*inner;
      at(child).*inner = tree;
      tree = child;
      child = at(tree).*outer;
      push_down(child);
    }
    right ? link_left(tree) : link_right(tree);
    tree = child;
  }
  if (left_edge != none) {
    at(left_edge).right = at(tree).left;
    at(tree).left = left_root;
  }
  if (right_edge != none) {
    at(right_edge).left = at(tree).right;
    at(tree).right = right_root;
  }
  return tree;
}

BreakpointForest::Tree BreakpointForest::rightmost(Tree tree) {
  return splay(tree, [](const Node&) { return true; });
}

BreakpointForest::Tree BreakpointForest::leftmost(Tree tree) {
  return splay(tree, [](const Node&) { return false; });
}

BreakpointForest::Halves BreakpointForest::split(Tree tree, double bound) {
  const auto belongs_left = [bound](const Node& node) { return node.value <= bound; };
  tree = splay(tree, belongs_left);
  if (tree == none) return {none, none};
  // The root is the last breakpoint of the left half or the first of the right one.
  Halves halves{tree, tree};
  if (belongs_left(at(tree))) {
    halves.right = at(tree).right;
    at(tree).right = none;
  } else {
    halves.left = at(tree).left;
    at(tree).left = none;
  }
  return halves;
}

BreakpointForest::Tree BreakpointForest::join_left(Tree part, Tree tree) {
  if (tree == none) return part;
  push_down(tree);
  at(tree).left = part;
  return tree;
}

BreakpointForest::Tree BreakpointForest::join_right(Tree tree, Tree part) {
  if (tree == none) return part;
  push_down(tree);
  at(tree).right = part;
  return tree;
}

}  // namespace linkgistic

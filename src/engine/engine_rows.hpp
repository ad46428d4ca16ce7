// A contiguous piece of the labelled rows of a fit, as the engine that holds it sees them.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/cpu/fused_pass.hpp"
#include "engine/row_engine.hpp"
#include "engine/verbs/same_size.hpp"

namespace linkgistic {

/// The data of an engine: all rows with their labels and weights. The viewed arrays must outlive it.
struct EngineRows {
  RowMatrix rows;
  std::span<const std::int32_t> labels;  // (N)
  std::span<const float> weights;        // (N) or empty: every row counts once
  RowParts parts;
};

RowsShape shape_of(const EngineRows& rows);

/// The answer of some rows to a request, as complete subtrees of the whole.
template <class A>
using Nodes = std::vector<TreeNode<A>>;

/// to += from, number by number.
inline void add_to(double& to, double from) { to += from; }
template <class Numbers>
void add_to(Numbers& to, const Numbers& from) {
  check_same_size(to.size(), from.size());
  for (std::size_t i = 0; i < to.size(); ++i) add_to(to[i], from[i]);
}
template <class... Fields>
void add_to(const std::tuple<Fields...>& to, const std::tuple<Fields...>& from) {
  [&]<std::size_t... i>(std::index_sequence<i...>) { (add_to(std::get<i>(to), std::get<i>(from)), ...); }
  (std::index_sequence_for<Fields...>());
}

/// Merges two answers of one kind: by `merge`, where there is one, else they are added.
template <class A>
void merge_answers(A& left, A& right) {
  if constexpr (requires { merge(left, right); }) {
    merge(left, right);
  } else {
    add_to(left.fields(), right.fields());
  }
}

/// The sum of nodes that cover all leaves from 0 on, in order; `empty` where there is none.
template <class A>
A total_of(Nodes<A> nodes, A empty) {
  if (nodes.empty()) return empty;
  auto merge_two = [](A& left, A& right) { merge_answers(left, right); };
  TreeSum<A, decltype(merge_two)> tree(merge_two);
  for (TreeNode<A>& node : nodes) tree.push(std::move(node));
  return tree.take_total();
}

inline PassResult empty_answer(const PassRequest& r) {
  return PassResult(r.problems.size(), r.problems.empty() ? 0 : r.beta.size() / r.problems.size() - 1);
}

/// Adds one row after the other to an answer.
template <class R>
auto row_adder(const R& request) {
  return [&request](const ScoredRow& row, typename R::Answer& to) { add_row(request, row, to); };
}

/// Tells an adder that keeps rows back that no more will come.
template <class Adder, class A>
void finish_adding(Adder& add, A& answer) {
  if constexpr (requires { add.finish(answer); }) add.finish(answer);
}

/// The problems whose scores a request needs of a row: coefficients (P, D + 1).
inline std::vector<double> score_coefficients(const LineRequest& r) {
  std::vector<double> beta = r.from.beta;
  beta.insert(beta.end(), r.end.begin(), r.end.end());
  return beta;
}
inline const std::vector<double>& score_coefficients(const ScoreRequest& r) { return r.beta; }
inline const std::vector<double>& score_coefficients(const RangeRequest& r) { return r.scores.beta; }
inline const std::vector<double>& score_coefficients(const CellsRequest& r) { return r.of.scores.beta; }
inline const std::vector<double>& score_coefficients(const HeldOutRequest& r) { return r.scores.beta; }
inline const std::vector<double>& score_coefficients(const SampleRequest& r) { return r.scores.beta; }
inline const std::vector<double>& score_coefficients(const GramRequest& r) { return r.scores.beta; }
inline const std::vector<double>& score_coefficients(const OverlapRequest& r) { return r.of.scores.beta; }
inline const std::vector<double>& score_coefficients(const InformationRequest& r) { return r.scores.beta; }

}  // namespace linkgistic

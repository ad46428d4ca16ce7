// What most requests have in common: problems, each with coefficients, a label that is positive, a loss and
// the rows that it looks at. Most verbs see no more of a row than its scores. A set of problems has one loss:
// a problem alone has its own, and several are the classes of a softmax.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "engine/selection.hpp"
#include "numeric/loss_table.hpp"

namespace linkgistic {

struct ScoreProblem {
  std::int32_t label = 1;  // the positive one
  std::int32_t table = 0;  // the loss, or the link of a softmax: a place in the request's tables
  Selection selection = {};

  bool operator==(const ScoreProblem&) const = default;
};

/// Coefficients are those of the raw values; the caller takes care of scales.
struct ScoreRequest {
  std::vector<std::shared_ptr<const LossTable>> tables;
  std::vector<ScoreProblem> problems;  // (P)
  std::vector<double> beta;            // (P, D + 1), intercept first
  // Problems to a set, which stand together and look at the same rows. Above 1 a set is a softmax: the tables
  // have nu_k for label 0, and -log p(y) = log sum_k exp(nu_k(m_k)) - nu_y(m_y). Rows with a label of none of
  // its problems do not count.
  std::uint32_t coupled = 1;

  [[nodiscard]] std::size_t sets() const { return problems.size() / coupled; }
  /// The directions of a set that have a curvature: the score of each problem, and last, in a softmax, one
  /// value that is added to all scores.
  [[nodiscard]] std::size_t directions() const { return coupled > 1 ? coupled + 1 : 1; }
  [[nodiscard]] const LossTable& table(std::size_t p) const {
    return *tables[static_cast<std::size_t>(problems[p].table)];
  }
  auto fields() { return std::tie(tables, problems, beta, coupled); }
  /// Tables are equal where they are the same.
  bool operator==(const ScoreRequest&) const = default;
};

/// A row as the verbs of scores see it.
struct ScoredRow {
  std::uint64_t number = 0;  // global
  std::int32_t label = 0;
  double weight = 1;
  std::span<const double> scores;  // (P)
  const RowParts* parts = nullptr;
  std::size_t place = 0;  // in `parts`

  [[nodiscard]] bool in(const ScoreProblem& problem) const {
    return parts == nullptr || parts->takes(problem.selection, place);
  }
};

}  // namespace linkgistic

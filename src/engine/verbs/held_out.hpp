// held_out: how well sets of problems predict. The loss of a row in a set is the sum over the problems of the
// set that it takes part in. The answer has its weighted sum and that of the squared difference to the first
// set.
#pragma once

#include <algorithm>

#include "engine/verbs/score_request.hpp"

namespace linkgistic {

struct HeldOutAnswer {
  std::vector<double> loss;                // (sets)
  std::vector<double> squared_difference;  // (sets)
  double weight = 0;  // of the rows, once for each problem of the first set that looks at them

  auto fields() { return std::tie(loss, squared_difference, weight); }
};

struct HeldOutRequest {
  using Answer = HeldOutAnswer;
  ScoreRequest scores;
  std::vector<std::uint32_t> set;  // (P)
  std::uint32_t sets = 0;
  double most_loss = 0;  // of one row and problem

  auto fields() { return std::tie(scores, set, sets, most_loss); }
};

inline HeldOutAnswer empty_answer(const HeldOutRequest& r) {
  return {std::vector<double>(r.sets), std::vector<double>(r.sets), 0};
}

inline void add_row(const HeldOutRequest& r, const ScoredRow& row, HeldOutAnswer& to) {
  if (!(row.weight > 0)) return;
  std::vector<double> loss(r.sets);
  for (std::size_t p = 0; p < r.set.size(); ++p) {
    const ScoreProblem& problem = r.scores.problems[p];
    if (!row.in(problem)) continue;
    if (r.set[p] == 0) to.weight += row.weight;
    const double own = r.scores.table(p).at(row.label == problem.label ? 1 : 0, row.scores[p]).value;
    loss[r.set[p]] += std::min(own, r.most_loss);
  }
  for (std::size_t s = 0; s < loss.size(); ++s) {
    to.loss[s] += row.weight * loss[s];
    to.squared_difference[s] += row.weight * (loss[s] - loss[0]) * (loss[s] - loss[0]);
  }
}

}  // namespace linkgistic

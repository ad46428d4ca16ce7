// line: loss and slope of every problem at some steps t from its beta towards its end, score m + t (m_end -
// m).
#pragma once

#include "engine/verbs/score_request.hpp"

namespace linkgistic {

struct LineAnswer {
  std::vector<double> value, slope;  // (P, steps)

  auto fields() { return std::tie(value, slope); }
};

struct LineRequest {
  using Answer = LineAnswer;
  ScoreRequest from;
  std::vector<double> end;    // (P, D + 1)
  std::vector<double> steps;  // (P, steps)

  [[nodiscard]] std::size_t per_problem() const { return steps.size() / from.problems.size(); }

  auto fields() { return std::tie(from, end, steps); }
};

inline LineAnswer empty_answer(const LineRequest& r) {
  return {std::vector<double>(r.steps.size()), std::vector<double>(r.steps.size())};
}

/// `row.scores` are those at the beta of all problems, then those at their ends.
inline void add_row(const LineRequest& r, const ScoredRow& row, LineAnswer& to) {
  const std::size_t problems = r.from.problems.size();
  for (std::size_t p = 0; p < problems; ++p) {
    const ScoreProblem& problem = r.from.problems[p];
    if (!row.in(problem)) continue;
    const double direction = row.scores[problems + p] - row.scores[p];
    for (std::size_t i = p * r.per_problem(); i < (p + 1) * r.per_problem(); ++i) {
      const LossNode loss =
          r.from.table(p).at(row.label == problem.label ? 1 : 0, row.scores[p] + r.steps[i] * direction);
      to.value[i] += row.weight * loss.value;
      to.slope[i] += row.weight * loss.slope * direction;
    }
  }
}

}  // namespace linkgistic

// curvature: the sum over rows of c_n = w_n max(l''(m_n), 0), for every problem.
#pragma once

#include <algorithm>

#include "engine/verbs/score_request.hpp"

namespace linkgistic {

struct CurvatureAnswer {
  std::vector<double> sum;  // (P)

  auto fields() { return std::tie(sum); }
};

struct CurvatureRequest : ScoreRequest {
  using Answer = CurvatureAnswer;
};

/// c_n of one problem; 0 for a row that it does not look at.
inline double row_curvature(const ScoreRequest& r, std::size_t p, const ScoredRow& row) {
  const ScoreProblem& problem = r.problems[p];
  if (!(row.weight > 0) || !row.in(problem)) return 0;
  const double second = r.table(p).curvature(row.label == problem.label ? 1 : 0, row.scores[p]);
  return row.weight * std::max(second, 0.0);
}

inline CurvatureAnswer empty_answer(const CurvatureRequest& r) {
  return {std::vector<double>(r.problems.size())};
}

inline void add_row(const CurvatureRequest& r, const ScoredRow& row, CurvatureAnswer& to) {
  for (std::size_t p = 0; p < r.problems.size(); ++p) to.sum[p] += row_curvature(r, p, row);
}

}  // namespace linkgistic

// line: loss and slope of every set of problems at some steps t from its beta towards its end, scores
// m + t (m_end - m).
#pragma once

#include "engine/verbs/row_loss.hpp"

namespace linkgistic {

struct LineAnswer {
  std::vector<double> value, slope;  // (sets, steps)

  auto fields() { return std::tie(value, slope); }
};

struct LineRequest {
  using Answer = LineAnswer;
  ScoreRequest from;
  std::vector<double> end;    // (P, D + 1)
  std::vector<double> steps;  // (sets, steps)

  [[nodiscard]] std::size_t per_set() const { return steps.size() / from.sets(); }

  auto fields() { return std::tie(from, end, steps); }
};

inline LineAnswer empty_answer(const LineRequest& r) {
  return {std::vector<double>(r.steps.size()), std::vector<double>(r.steps.size())};
}

/// Adds rows one after the other; the request must outlive it. `row.scores` are those at the beta of all
/// problems, then those at their ends.
class LineAdder {
 public:
  explicit LineAdder(const LineRequest& request)
      : request_(request), loss_(request.from), at_(request.from.coupled) {}

  void operator()(const ScoredRow& row, LineAnswer& to) {
    const std::size_t problems = request_.from.problems.size();
    for (std::size_t s = 0; s < request_.from.sets(); ++s) {
      if (!loss_.takes(s, row)) continue;
      const double* from = row.scores.data() + s * at_.size();
      const double* end = from + problems;
      for (std::size_t i = s * request_.per_set(); i < (s + 1) * request_.per_set(); ++i) {
        for (std::size_t k = 0; k < at_.size(); ++k)
          at_[k] = from[k] + request_.steps[i] * (end[k] - from[k]);
        to.value[i] += row.weight * loss_.value(s, row.label, at_);
        for (std::size_t k = 0; k < at_.size(); ++k)
          to.slope[i] += row.weight * loss_.slopes()[k] * (end[k] - from[k]);
      }
    }
  }

 private:
  const LineRequest& request_;
  RowLoss loss_;
  std::vector<double> at_;
};
inline LineAdder row_adder(const LineRequest& r) { return LineAdder(r); }

}  // namespace linkgistic

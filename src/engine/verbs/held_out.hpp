// held_out: how well candidates predict. Each consists of sets of problems, and the loss of a row under it is
// the sum over its sets that the row takes part in. The answer has its weighted sum and that of the squared
// difference to the first candidate.
#pragma once

#include <algorithm>

#include "engine/verbs/row_loss.hpp"

namespace linkgistic {

struct HeldOutAnswer {
  std::vector<double> loss;                // (candidates)
  std::vector<double> squared_difference;  // (candidates)
  double weight = 0;  // of the rows, once for each set of the first candidate that looks at them

  auto fields() { return std::tie(loss, squared_difference, weight); }
};

struct HeldOutRequest {
  using Answer = HeldOutAnswer;
  ScoreRequest scores;
  std::vector<std::uint32_t> candidate;  // (sets)
  std::uint32_t candidates = 0;
  double most_loss = 0;  // of one row and set

  auto fields() { return std::tie(scores, candidate, candidates, most_loss); }
};

inline HeldOutAnswer empty_answer(const HeldOutRequest& r) {
  return {std::vector<double>(r.candidates), std::vector<double>(r.candidates), 0};
}

/// Adds rows one after the other; the request must outlive it.
class HeldOutAdder {
 public:
  explicit HeldOutAdder(const HeldOutRequest& request)
      : request_(request), row_loss_(request.scores), loss_(request.candidates) {}

  void operator()(const ScoredRow& row, HeldOutAnswer& to) {
    if (!(row.weight > 0)) return;
    std::fill(loss_.begin(), loss_.end(), 0.0);
    for (std::size_t s = 0; s < request_.candidate.size(); ++s) {
      if (!row_loss_.takes(s, row)) continue;
      if (request_.candidate[s] == 0) to.weight += row.weight;
      loss_[request_.candidate[s]] +=
          std::min(row_loss_.value(s, row.label, row_loss_.scores(s, row)), request_.most_loss);
    }
    for (std::size_t i = 0; i < loss_.size(); ++i) {
      to.loss[i] += row.weight * loss_[i];
      to.squared_difference[i] += row.weight * (loss_[i] - loss_[0]) * (loss_[i] - loss_[0]);
    }
  }

 private:
  const HeldOutRequest& request_;
  RowLoss row_loss_;
  std::vector<double> loss_;
};
inline HeldOutAdder row_adder(const HeldOutRequest& r) { return HeldOutAdder(r); }

}  // namespace linkgistic

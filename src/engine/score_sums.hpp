// Labelled scores that come in batches, kept as their sums: the weights of both labels at each score.
#pragma once

#include <tuple>

#include "engine/score_engine.hpp"

namespace linkgistic {

/// Answers as an engine of all rows that were added. Weights that are whole numbers add up exactly: then the
/// answers are the same bytes for any batches in any order. Sums of other weights differ in their last
/// digits, by a part of 2^-53 for each batch that has the score. Its memory is that of the different scores.
class ScoreSums final : public ScoreEngine {
 public:
  /// Rows that a fit cannot use (a score or weight that is not a number, a weight below 0) are an InputError,
  /// and nothing is added. The rows are numbered behind those that are there.
  void add(const LabelledScores& rows);

  ScoreCheckAnswer ask(const ScoreCheckRequest& request) override;
  CountsAnswer ask(const CountsRequest& request) override;

  auto fields() { return std::tie(check_, counts_); }

 private:
  ScoreCheckAnswer check_;
  CountsAnswer counts_;  // of the scores themselves, no bit dropped
};

}  // namespace linkgistic

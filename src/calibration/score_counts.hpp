// The scores of a calibration set as sorted distinct values with the weights of both labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <linkgistic/calibrator.hpp>

#include "engine/score_engine.hpp"

namespace linkgistic {

/// From a score as the user gives it to the number the warp works on, strictly increasing in `kind` (or
/// decreasing, when mirrored).
///
/// A probability becomes its log odds, beyond those of 1e-12 growing like a logarithm, so that 0 and 1 are
/// finite and yet the least and the greatest. Where infinite scores were in the training set they stand a
/// tenth of the finite range beyond it, and finite scores beyond the range between the two.
struct ScoreScale {
  ScoreKind kind = ScoreKind::decision;
  bool mirrored = false;        // the fit is of (-s, 1 - y)
  double unit = 1;              // a power of two: scores are divided by it, so that nothing overflows
  double lower = 0, upper = 0;  // of the finite training scores, probabilities as log odds
  bool lower_infinite = false, upper_infinite = false;  // whether there were infinite ones

  [[nodiscard]] double at(double score) const;
  /// The log odds that `value` = at(score) stands for as the classifier believes.
  [[nodiscard]] double claim(double value) const;
  /// A tenth of the range of the finite scores.
  [[nodiscard]] double margin() const;
};

/// Throws an InputError for a score that is NaN, or not a probability where one is required. `row` counts
/// from 0.
void check_score(double score, ScoreKind kind, std::size_t row, std::size_t column = 0);

struct ScoreCounts {
  ScoreScale scale;
  std::vector<double> value;               // (M) increasing, by the scale
  std::vector<double> negative, positive;  // (M): weights of the labels 0 and 1
  std::size_t rows = 0;                    // with positive weight
  double total = 0;                        // weight

  [[nodiscard]] std::size_t size() const { return value.size(); }
  [[nodiscard]] double weight(std::size_t i) const { return negative[i] + positive[i]; }
};

/// Checks and counts the rows of an engine or their mirror image (-s, 1 - y), whichever comes first in a
/// fixed order: both give the same map, mirrored. Throws an InputError that names the first bad row.
ScoreCounts count_scores(ScoreEngine& engine, ScoreKind kind);

}  // namespace linkgistic

// How good predicted probabilities of labels are, and how good their order is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace linkgistic {

/// Weighted means over rows. `y` is 0 or 1, `log_odds` the predicted ones; an empty weight counts every row
/// once. NaN where it is not defined (auc of one class, anything of no rows).
struct BinaryMetrics {
  double accuracy = 0;  // log odds > 0 against y
  double auc = 0;       // probability that a positive has the greater log odds, ties counted half
  double log_loss = 0;
  double brier = 0;  // mean (p - y)^2
  double ece = 0;    // mean over 15 equal bins of p of |mean p - mean y|, by their weight
};

BinaryMetrics binary_metrics(std::span<const double> log_odds, std::span<const std::uint8_t> y,
                             std::span<const double> weight = {});

/// The same for many classes, of probabilities (rows, classes) that sum to 1 over a row: accuracy of the most
/// probable class; auc, the mean over classes of that of p_k for one against the rest (those that have both);
/// log loss of the true class; brier, mean sum_k (p_k - y_k)^2; ece of the most probable class's probability
/// against whether it is right.
BinaryMetrics class_metrics(std::span<const double> probability, std::size_t classes,
                            std::span<const std::int32_t> labels, std::span<const double> weight = {});

/// The mean of each, over classes taken one against the rest; an auc that is not defined is left out.
BinaryMetrics mean_metrics(std::span<const BinaryMetrics> metrics);

}  // namespace linkgistic

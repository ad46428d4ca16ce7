// How good predicted probabilities of a binary label are, and how good their order is.
#pragma once

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

}  // namespace linkgistic

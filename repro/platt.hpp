// Logistic regression with a Platt scale from held-out scores: what is left of a learned link when it may
// only be a straight line.
#pragma once

#include <vector>

#include "repro/images.hpp"

namespace linkgistic::repro {

struct PlattScale {
  double slope = 1, level = 0;
};

/// The line slope score + level of least log loss against labels 0 and 1 that are drawn in by Platt's
/// (N1 + 1)/(N1 + 2) and 1/(N0 + 2).
PlattScale fit_platt(const std::vector<double>& score, const std::vector<std::uint8_t>& y);

/// (test rows, scores): log odds of a logistic regression of all rows, each score on the line fitted to the
/// scores that five fits, each without a fifth of the rows, give to the rows left out.
std::vector<double> platt_log_odds(const FittedLinkgisticClassifier& logistic,
                                   const ClassificationData& train, const FeatureRows& test,
                                   const Settings& settings);

}  // namespace linkgistic::repro

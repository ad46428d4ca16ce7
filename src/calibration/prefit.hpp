// The straight line that a calibrator's prior is centred on: log odds x = e^theta q + b of the warped score
// q.
#pragma once

#include "calibration/constants.hpp"
#include "engine/compression.hpp"
#include "numeric/types.hpp"
#include "response/response.hpp"

namespace linkgistic {

struct PreFit {
  double theta = 0, intercept = 0;

  [[nodiscard]] double slope() const { return std::exp(theta); }
  [[nodiscard]] double at(double q) const { return slope() * q + intercept; }
};

/// Where the score 0, even odds as the classifier believes, lies.
struct Zero {
  bool known = false;
  double q = 0;
};

/// The most probable line for rows (q, y, weight): theta ~ N(log 2.5, 1/4), and e^theta q0 + b ~ Cauchy(0,
/// 1/4) where the score 0 has the place q0, else b ~ N(0, 100).
PreFit fit_line(const WeightedRows& rows, const Response& response, const Zero& zero,
                const CalibrationPrior& prior);

}  // namespace linkgistic

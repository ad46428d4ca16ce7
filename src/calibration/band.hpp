// The credible band of a calibrator around its log odds, as a table in the warped score.
#pragma once

#include <vector>

#include "calibration/draws.hpp"
#include "calibration/fitted.hpp"

namespace linkgistic {

/// Between two quantiles of the draws at every node, straight between the nodes. Under the increasing priors
/// both ends increase, as the draws do. The claims, which have no posterior, have no part in it.
class CalibrationBand {
 public:
  CalibrationBand(const FittedCalibratorState& state, double interval);

  /// Log odds of its ends.
  struct Ends {
    double lower, upper;
  };
  [[nodiscard]] Ends at(double q) const;

 private:
  const CalibrationDraws& draws_;
  std::vector<Ends> ends_;
};

}  // namespace linkgistic

// The credible band of a calibrator around its log odds, as a table in the warped score.
#pragma once

#include <vector>

#include "model/fitted_calibrator.hpp"

namespace linkgistic {

/// Under component k nu is normal, with the variance of its coordinates and that of the pre-fit to first
/// order; the band is between two quantiles of the components' mixture. The claims, which have no
/// posterior, have no part in it. Straight between the nodes of the
/// table: 256 cells of equal width over the training scores, and beyond them nodes that grow apart.
class CalibrationBand {
 public:
  CalibrationBand(const FittedCalibratorState& state, double interval);

  /// Log odds of its ends.
  struct Ends {
    double lower, upper;
  };
  [[nodiscard]] Ends at(double q) const;

 private:
  std::vector<double> q_;
  std::vector<Ends> ends_;
};

}  // namespace linkgistic

// Pictures of a fitted calibrator.
#pragma once

#include <cstdint>
#include <vector>

#include <linkgistic/calibrator.hpp>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// Rows to show with a fit; there may be none.
struct CalibrationRows {
  std::vector<double> score;
  std::vector<std::uint8_t> label;
  std::vector<double> weight;
};

/// The probability against the score with its 90 % band, and the share of positive labels in twenty groups of
/// equal weight; below it the log odds.
Figure calibrator_figure(const FittedMonotoneCalibrator& fit, const CalibrationRows& rows);

/// The loss of the score for either label under the map, dashed as the scores claim it where they do; below
/// it the weight of a score, p (1 - p) (d log odds / d score)^2.
Figure calibrator_loss_figure(const FittedMonotoneCalibrator& fit);

}  // namespace linkgistic

// The report of a fitted calibrator.
#pragma once

#include <optional>
#include <string>

#include <linkgistic/calibrator.hpp>

#include "report/calibrator_figure.hpp"
#include "report/page.hpp"

namespace linkgistic {

/// Rows that a calibrator is held against.
struct CalibrationTrial {
  std::string name;  // of the table
  CalibrationRows rows;
};

/// The verdict; the map and the loss it makes; on a trial if there is one the metrics before and after with
/// bootstrap intervals and both reliability diagrams; folded, what was fitted; the command that makes the
/// model again.
Page calibration_page(const FittedMonotoneCalibrator& fit, const std::optional<CalibrationTrial>& trial);

}  // namespace linkgistic

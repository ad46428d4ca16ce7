// The report of a calibrator of many classes, and its picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <linkgistic/class_calibrator.hpp>

#include "metrics/classification_metrics.hpp"
#include "report/calibrator_figure.hpp"
#include "report/page.hpp"

namespace linkgistic {

/// Rows that a calibrator of many classes is held against.
struct ClassCalibrationTrial {
  std::string name;                 // of the table
  std::vector<double> score;        // (N, C)
  std::vector<std::int32_t> label;  // (N)
  std::vector<double> weight;       // (N), or empty
};

/// Names and members of the metrics of all classes together.
inline constexpr std::pair<const char*, double BinaryMetrics::*> class_metric_fields[] = {
    {"log_loss", &BinaryMetrics::log_loss},
    {"brier", &BinaryMetrics::brier},
    {"ece", &BinaryMetrics::ece},
    {"auc", &BinaryMetrics::auc},
    {"accuracy", &BinaryMetrics::accuracy}};

/// One class against the others: the log odds that the scores claim, and whether a row is of the class.
CalibrationRows one_against_rest(const FittedClassCalibrator& fit, const ClassCalibrationTrial& trial,
                                 std::size_t c);

/// Log odds of the calibrated probabilities of a class, probability (N, C).
std::vector<double> log_odds_of(const std::vector<double>& probability, std::size_t classes, std::size_t c);

/// The map of class c with its band, and with the rows in groups if there are any.
Figure class_map_figure(const FittedClassCalibrator& fit, const std::optional<ClassCalibrationTrial>& trial,
                        std::size_t c);

/// The verdict; the maps; on a trial if there is one the metrics before and after with bootstrap intervals,
/// those of each class, and its reliability with bands; folded, what was fitted; the command that makes the
/// model again.
Page class_calibration_page(const FittedClassCalibrator& fit,
                            const std::optional<ClassCalibrationTrial>& trial);

}  // namespace linkgistic

// What a fitted calibrator of many classes is made of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <linkgistic/class_calibrator.hpp>

#include "calibration/classes/scaling.hpp"

namespace linkgistic {

/// What the probabilities are an average of besides the maps.
struct ClassComponent {
  std::string name;
  double weight = 0;
  std::optional<ClassScaling> scaling;         // none: the claims
  std::vector<FittedMonotoneCalibrator> maps;  // of the log odds after the scaling, or none

  /// (N, C) at claimed log odds.
  [[nodiscard]] std::vector<double> probabilities(std::span<const double> log_odds,
                                                  std::size_t classes) const;
};

struct FittedClassCalibratorState {
  ClassCalibratorOptions options;
  ClassCalibratorSummary summary;
  std::vector<std::string> class_names;               // (C)
  std::vector<FittedMonotoneCalibrator> calibrators;  // of log odds: C, or one for all
  double maps_weight = 1;
  std::vector<ClassComponent> components;
  std::map<std::string, std::string> columns;

  /// (N, C): the average.
  [[nodiscard]] std::vector<double> probabilities(std::span<const double> log_odds) const;
};

/// (N, C): log odds of each class against the others. Probabilities are divided by their sum first; logits l
/// give l_c - log sum_{j != c} e^l_j. InputError with the row for what is neither.
std::vector<double> class_log_odds(std::span<const double> scores, std::size_t classes, ScoreKind kind);

/// (N, C): the calibrated probabilities for such log odds, one calibrator or C.
std::vector<double> class_probabilities(std::span<const FittedMonotoneCalibrator> calibrators,
                                        std::span<const double> log_odds, std::size_t classes);

/// Bands of `result.probability` at such log odds, stretched to it where it lies outside.
void set_class_bands(std::span<const FittedMonotoneCalibrator> calibrators, std::span<const double> log_odds,
                     std::size_t classes, double interval, CalibratedClasses& result);

}  // namespace linkgistic

// What a fitted calibrator of many classes is made of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <linkgistic/class_calibrator.hpp>

namespace linkgistic {

struct FittedClassCalibratorState {
  ClassCalibratorOptions options;
  ClassCalibratorSummary summary;
  std::vector<std::string> class_names;               // (C)
  std::vector<FittedMonotoneCalibrator> calibrators;  // of log odds: C, or one for all
  std::map<std::string, std::string> columns;
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

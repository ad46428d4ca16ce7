// A fitted calibrator in words.
#pragma once

#include <string>

#include <linkgistic/class_calibrator.hpp>

namespace linkgistic {

/// What was fitted, from what: lines for a reader. Not the warnings.
std::string calibrator_text(const FittedMonotoneCalibrator& fit);

/// The same for many classes.
std::string class_calibrator_text(const FittedClassCalibrator& fit);

/// What its probabilities are an average of: "maps .62, matrix .38".
std::string weights_text(const ClassCalibratorSummary& summary);

}  // namespace linkgistic

// A fitted calibrator in words.
#pragma once

#include <string>

#include <linkgistic/calibrator.hpp>

namespace linkgistic {

/// What was fitted, from what: lines for a reader. Not the warnings.
std::string calibrator_text(const FittedMonotoneCalibrator& fit);

}  // namespace linkgistic

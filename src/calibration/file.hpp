// Fitted calibrators from their files.
#pragma once

#include <linkgistic/calibrator.hpp>
#include <linkgistic/class_calibrator.hpp>

namespace linkgistic {

struct ModelFile;

/// The model of a parsed file; an InputError where it is of another kind or damaged.
FittedMonotoneCalibrator calibrator_from(const ModelFile& file);
FittedClassCalibrator class_calibrator_from(const ModelFile& file);

}  // namespace linkgistic

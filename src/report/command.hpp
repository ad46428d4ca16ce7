// The command that makes a model again: the flags of its data and of all its options.
#pragma once

#include <string>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/monotone_regression.hpp>

namespace linkgistic {

/// With the words TABLE, LABELS (where the labels were in a file of their own) and MODEL.json for the files.
std::string command_of(const FittedMonotoneRegression& fit);
std::string command_of(const FittedLinkgisticClassifier& fit);
std::string command_of(const FittedMonotoneCalibrator& fit);
std::string command_of(const FittedClassCalibrator& fit);

}  // namespace linkgistic

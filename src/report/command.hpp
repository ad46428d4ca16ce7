// The command that makes a model again: the flags of its data and of all its options.
#pragma once

#include <string>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/monotone_regression.hpp>
#include <linkgistic/version.hpp>

#include "report/page.hpp"

namespace linkgistic {

/// With the words TABLE, LABELS (where the labels were in a file of their own) and MODEL.json for the files.
std::string command_of(const FittedMonotoneRegression& fit);
std::string command_of(const FittedLinkgisticClassifier& fit);
std::string command_of(const FittedMonotoneCalibrator& fit);
std::string command_of(const FittedClassCalibrator& fit);

/// The section of a report that says how to make the model again.
template <class Fit>
PageSection make_again(const Fit& fit) {
  return {"Make it again",
          {Command{command_of(fit)},
           Facts{{{"version", version}, {"seed", std::to_string(fit.options().seed)}}}}};
}

}  // namespace linkgistic

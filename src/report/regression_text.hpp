// A fitted monotone regression in words.
#pragma once

#include <string>

#include <linkgistic/monotone_regression.hpp>

namespace linkgistic {

/// What was fitted, from what, how it ended: lines for a reader. Not the warnings.
std::string regression_text(const FittedMonotoneRegression& fit);

/// What a fit took, which is not kept in its file.
std::string time_text(const RegressionSummary& summary);

/// What a hyper-parameter means, in the units of the data: "standard deviation of mpg around the curve".
std::string hyper_parameter_meaning(const FittedMonotoneRegression& fit, const std::string& name);

}  // namespace linkgistic

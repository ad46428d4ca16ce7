// The first sentences of a report: how a fit does against another method on a table, and whether what it says
// of chances holds there.
#pragma once

#include <cstddef>
#include <string>

#include "metrics/calibration_test.hpp"
#include "metrics/paired.hpp"

namespace linkgistic {

/// "log loss 0.43 against 0.45 of logistic regression: lower by 0.02 (90 % interval 0.01 to 0.03)". Where the
/// interval holds 0: "no clear difference". `root` shows the roots of the means, and no difference in
/// numbers.
std::string comparison_words(const std::string& score, const PairedLosses& losses, const std::string& rival,
                             bool root = false);

/// "the probabilities are calibrated, as far as these 300 rows can tell (...)" or what shows that they are
/// not; `error` is how far off they are on average.
std::string calibration_words(const CalibrationTest& test, double error);

/// "94.0 % of the rows lie inside the 90 % band of observations, ...". A band of `counts`, whose ends are
/// whole numbers, holds its share or more.
std::string coverage_words(double coverage, std::size_t rows, bool counts = false);

/// A sentence for tables that have the counts and ranges of the training data; empty for others.
std::string training_rows_words(bool alike);

}  // namespace linkgistic

// The report of a fitted monotone regression.
#pragma once

#include <optional>
#include <string>

#include <linkgistic/monotone_regression.hpp>

#include "metrics/paired.hpp"
#include "metrics/regression_metrics.hpp"
#include "report/page.hpp"
#include "report/regression_figure.hpp"

namespace linkgistic {

/// Rows that the fit is held against.
struct RegressionTrial {
  std::string name;  // of the table
  std::size_t rows = 0;
  RowsForPlot shown;
  RegressionMetrics metrics;
  /// Against a straight line that was fitted to the rows that the curve was fitted to: squared errors of a
  /// response with noise, deviances of the others.
  std::optional<PairedLosses> line = {};
};

/// The verdict; the curve and where it has half of its effect; how it does on a trial if there is one;
/// folded, what was fitted and how the search went; the command that makes the model again.
Page regression_page(const FittedMonotoneRegression& fit, const std::optional<RegressionTrial>& trial);

}  // namespace linkgistic

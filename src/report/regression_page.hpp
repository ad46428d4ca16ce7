// The report of a fitted monotone regression.
#pragma once

#include <optional>
#include <string>

#include <linkgistic/monotone_regression.hpp>

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
};

/// What was fitted, its pictures, how the search went, how it does on a trial if there is one, and the
/// command that makes the model again.
Page regression_page(const FittedMonotoneRegression& fit, const std::optional<RegressionTrial>& trial);

}  // namespace linkgistic

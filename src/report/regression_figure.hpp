// Pictures of a fitted monotone regression.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// Rows to show with a fit; there may be none.
struct RowsForPlot {
  std::vector<double> x, y;
};

/// The curve with its 90 % band, the 90 % band of an observation and the rows; below it the latent f and
/// f^2, for the gp prior the slope. From the least to the greatest x of training data and rows.
Figure regression_figure(const FittedMonotoneRegression& fit, const RowsForPlot& rows);

/// The evidence along each learned hyper-parameter, relative to that of the fit. UsageError when the model
/// has no profiles.
Figure evidence_figure(const FittedMonotoneRegression& fit);

/// The names of x and y that go on the axes.
std::string x_name(const FittedMonotoneRegression& fit);
std::string y_name(const FittedMonotoneRegression& fit);

}  // namespace linkgistic

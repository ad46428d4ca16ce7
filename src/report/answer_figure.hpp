// A fitted curve with an x that was read off it and its interval.
#pragma once

#include <string>

#include <linkgistic/monotone_regression.hpp>

#include "report/figure/figure.hpp"
#include "report/regression_figure.hpp"

namespace linkgistic {

/// The curve with its 90 % band and the rows; a vertical line at the estimate and a bar along the axis over
/// the interval, which runs to the end of the data where an end was not reached.
Figure answer_figure(const FittedMonotoneRegression& fit, const RowsForPlot& rows, const std::string& what,
                     const CurveAnswer& answer);

}  // namespace linkgistic

// The least squares line.
#pragma once

#include <linkgistic/rows.hpp>

namespace linkgistic {

/// y = intercept + slope x. Where all x of positive weight are equal the slope is 0 and the intercept the
/// mean of y.
struct LinearFit {
  double intercept = 0;
  double slope = 0;
  /// sum w r^2 / (sum w - p), p = 2 (1 for constant x): unbiased when weights count rows; 0 where sum w <= p.
  double residual_variance = 0;

  double operator()(double x) const { return intercept + slope * x; }
};

/// Throws InputError for lengths that differ, values that are not finite, negative weights, and where no row
/// has a positive weight.
LinearFit fit_linear(const RowBlock& rows);

}  // namespace linkgistic

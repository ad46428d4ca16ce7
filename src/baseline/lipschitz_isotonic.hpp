// Lipschitz isotonic regression: least weighted squared error with every slope between two bounds.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include <linkgistic/rows.hpp>

#include "numeric/interpolate.hpp"

namespace linkgistic {

struct LipschitzOptions {
  double lower_slope = 0;                                   ///< finite
  double upper_slope = 1;                                   ///< >= lower_slope; infinity for none
  double lower = -std::numeric_limits<double>::infinity();  ///< bound on the first value
  double upper = std::numeric_limits<double>::infinity();   ///< bound on the last value
  int threads = 0;                                          ///< for the sort; 0 = all
};

/// argmin sum_i w_i (v_i - y_i)^2 subject to lower_slope <= (v_{i+1} - v_i)/(x_{i+1} - x_i) <= upper_slope,
/// v_1 >= lower, v_n <= upper, for strictly increasing x and positive weights. O(n log n).
std::vector<double> lipschitz_isotonic(std::span<const double> x, std::span<const double> y,
                                       std::span<const double> weight, const LipschitzOptions& options);

/// The same for rows in any order, rows of equal x merged and rows of weight 0 dropped; linear between the
/// distinct x.
PiecewiseLinear fit_lipschitz_isotonic(const RowBlock& rows, const LipschitzOptions& options = {});

}  // namespace linkgistic

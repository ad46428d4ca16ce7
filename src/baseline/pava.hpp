// Isotonic regression by pooling adjacent violators: the monotone function with the least weighted squared
// error.
#pragma once

#include <span>
#include <vector>

#include <linkgistic/rows.hpp>

#include "baseline/piecewise_linear.hpp"

namespace linkgistic {

/// argmin sum_i w_i (v_i - y_i)^2 subject to v_1 <= ... <= v_n; `weight` positive, or empty for ones. O(n).
/// The result does not depend on the number of threads (0 = all).
std::vector<double> pava(std::span<const double> y, std::span<const double> weight = {}, int threads = 0);

/// The same into memory of the caller's; `values` may be `y` itself.
void pava(std::span<const double> y, std::span<const double> weight, std::span<double> values,
          int threads = 0);

struct IsotonicOptions {
  bool increasing = true;
  int threads = 0;  ///< 0 = all
};

/// Isotonic regression of rows in any order. Rows of equal x are merged first, rows of weight 0 are dropped.
/// The knots are the two ends of every block (one where the block is a single x), so between blocks the fit
/// is a straight line.
PiecewiseLinear fit_isotonic(const RowBlock& rows, const IsotonicOptions& options = {});

}  // namespace linkgistic

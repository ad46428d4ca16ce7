// Isotonic regression by pooling adjacent violators (PAVA): the monotone function with the least weighted
// squared error.
#pragma once

#include <linkgistic/rows.hpp>

#include "numeric/interpolate.hpp"
#include "numeric/pool_adjacent.hpp"

namespace linkgistic {

struct IsotonicOptions {
  bool increasing = true;
  int threads = 0;  ///< 0 = all
};

/// Isotonic regression of rows in any order. Rows of equal x are merged first, rows of weight 0 are dropped.
/// The knots are the two ends of every block (one where the block is a single x), so between blocks the fit
/// is a straight line.
PiecewiseLinear fit_isotonic(const RowBlock& rows, const IsotonicOptions& options = {});

}  // namespace linkgistic

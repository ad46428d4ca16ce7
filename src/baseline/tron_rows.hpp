// Rows as a Tron sees them: centred, scaled, and cut into those that train and those that choose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <linkgistic/feature_rows.hpp>

#include "rows/column_scale.hpp"

namespace linkgistic {

/// max_n |x_n| over rows of positive weight, x the view's features.
double largest_row(const RowView& view, std::span<const float> weights, int threads);

/// The largest eigenvalue of sum_n w_n x_n x_n' / sum_n w_n by ten steps of power iteration, each one read of
/// the rows; from below. `largest` bounds |x|.
double largest_eigenvalue(const RowView& view, std::span<const float> weights, double largest, int threads);

struct HoldOut {
  std::vector<float> train,
      held;  // weights: 0 for rows of the other part; `held` empty when no row is held out
};

/// Each row is held out with probability `share`; none are where fewer than 10 would be.
HoldOut hold_out(std::span<const float> weights, double share, std::uint64_t seed);

}  // namespace linkgistic

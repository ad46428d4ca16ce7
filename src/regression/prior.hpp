// The constants of a regression that were chosen by hand, each with its reason. Those of the weak
// hyper-priors are HyperPriors (source/spectrum.hpp) and GaussianResponse::precision.
#pragma once

#include <array>
#include <cstddef>

namespace linkgistic {

struct RegressionPrior {
  /// c of the period 2/c: the data, t in [-1, 1], fill half of it, so that no curve is forced to close.
  double base_frequency = 0.5;
  /// Origin::shifted: as far left of the data as half of their range.
  double pinned_origin = -2;
  /// A mean that is not zero leaves the offset prior few modes: fewer starts are drawn from it.
  int offset_start_draws = 4;
  /// The isgp prior has many modes, and those with much noise (a response of small scale) hide those with
  /// little noise: the search begins at these multiples of the scale as well.
  std::array<double, 2> fainter{100, 1e4};
  /// A variational fit whose curve leaves the range of y by more than this many times that range is dropped:
  /// whatever rounding led it there, it is no answer.
  double far_from_y = 3;
  /// Both directions are fitted while |correlation| sqrt(total weight) is below: four standard errors.
  double sure_direction = 4;
  /// A direction that is asked for is against the data from this t of the correlation on: by chance once in a
  /// thousand fits of many rows.
  double contradiction = 3;
  /// Cells of the measures of rows (MeasureData): f^2 has a wave for each harmonic over the data, and 64
  /// cells a wave leave an error below (pi/32)^4/4320 = 2e-8 of its size. Twice as many rows are kept one by
  /// one.
  std::size_t cells_a_harmonic = 64, least_cells = 512;
};

inline constexpr RegressionPrior regression_prior;

}  // namespace linkgistic

// The step of BregmanTron that moves its link: the nearest function, in the Bregman divergence of the link,
// whose slopes lie between two bounds.
#pragma once

#include <span>
#include <vector>

#include "baseline/tron_link.hpp"

namespace linkgistic {

struct SlopeBounds {
  double lower = 0.01;  ///< > 0
  double upper = 1;
};

/// argmin over v of sum_i w_i D(v_i || u(z_i)), D the Bregman divergence of U*, (U*)' = u^-1, subject to
/// lower <= (v_{i+1} - v_i)/(z_{i+1} - z_i) <= upper, v_1 >= 0, v_n <= 1. z strictly increasing, weights
/// positive, lower (z_n - z_1) <= 1. The slope of the objective in v_i is w_i (u^-1(v_i) - z_i).
std::vector<double> bregman_isotonic(std::span<const double> z, std::span<const double> weight,
                                     const TronLink& link, const SlopeBounds& bounds);

}  // namespace linkgistic

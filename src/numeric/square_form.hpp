// A quadratic map written as sums of squares, kappa(g) = weights (points g)^2 + linear part.
//
// Under a Gaussian g the values u = points g are jointly normal, and the moments of their squares are closed:
// Cov(u_q^2, u_r^2) = 4 mean_q mean_r cov_qr + 2 cov_qr^2. What takes all pairs of terms of the map takes all
// pairs of points here.
#pragma once

#include "numeric/quadratic_map.hpp"

namespace linkgistic {

struct SquareForm {
  Matrix points;   // (Q, D)
  Matrix weights;  // (P, Q)
};

/// The square form of any map, by g_i g_j = ((g_i + g_j)^2 - g_i^2 - g_j^2)/2. It has a point for every pair
/// that occurs and for the members of the pairs.
SquareForm polarised(const QuadraticMap& map);

}  // namespace linkgistic

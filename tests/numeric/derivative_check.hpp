// Checks derivatives written by hand against differences of the function itself.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "numeric/types.hpp"

namespace linkgistic {

/// The Jacobian (outputs, inputs) of f at x by Ridders' method: central differences of shrinking step,
/// extrapolated to step 0. Good to about 1e-10 relative for a smooth f evaluated to rounding.
inline Matrix numeric_jacobian(const std::function<Vector(const Vector&)>& f, const Vector& x,
                               double step = 1e-2) {
  constexpr std::size_t levels = 8;
  constexpr double shrink = 1.6;
  Matrix jac(f(x).size(), x.size());
  for (Index i = 0; i < x.size(); ++i) {
    double h = step * (1 + std::abs(x[i]));
    std::array<Vector, levels> row, previous;
    Vector best;
    double best_error = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < levels; ++k, h /= shrink) {
      Vector forward = x, backward = x;
      forward[i] += h;
      backward[i] -= h;
      row[0] = (f(forward) - f(backward)) / (forward[i] - backward[i]);
      double factor = 1;
      for (std::size_t m = 1; m <= k; ++m) {
        // Neville's extrapolation in h^2.
        factor *= shrink * shrink;
        row[m] = (factor * row[m - 1] - previous[m - 1]) / (factor - 1);
        const double error = std::max((row[m] - row[m - 1]).lpNorm<Eigen::Infinity>(),
                                      (row[m] - previous[m - 1]).lpNorm<Eigen::Infinity>());
        if (error <= best_error) {
          best_error = error;
          best = row[m];
        }
      }
      previous = row;
    }
    jac.col(i) = best;
  }
  return jac;
}

/// The gradient of one function.
inline Vector numeric_gradient(const std::function<double(const Vector&)>& f, const Vector& x,
                               double step = 1e-2) {
  return numeric_jacobian([&](const Vector& at) { return Vector::Constant(1, f(at)); }, x, step).transpose();
}

/// max |a - b| / (1 + max |b|).
inline double relative_difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff() / (1 + b.cwiseAbs().maxCoeff());
}

}  // namespace linkgistic

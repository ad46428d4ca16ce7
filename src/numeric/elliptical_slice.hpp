// Elliptical slice sampling (I. Murray, R. P. Adams and D. MacKay, AISTATS 2010) of densities
// N(z; 0, I) exp(f(z)): no step to tune, and nearly independent draws where f hardly varies.
#pragma once

#include <cmath>
#include <numbers>

#include "numeric/random.hpp"
#include "numeric/types.hpp"

namespace linkgistic {

/// Moves z, and value = f(z) with it, by one draw that leaves the density invariant.
template <class LogFactor>
void elliptical_slice(Vector& z, double& value, const LogFactor& f, RandomStream& random) {
  Vector other(z.size());
  for (double& x : other) x = random.normal();
  const double level = value + std::log(random.uniform());
  double angle = 2 * std::numbers::pi * random.uniform();
  double low = angle - 2 * std::numbers::pi, high = angle;
  while (high - low > 1e-12) {
    Vector next = std::cos(angle) * z + std::sin(angle) * other;
    const double there = f(next);
    if (there > level) {
      z.swap(next);
      value = there;
      return;
    }
    (angle < 0 ? low : high) = angle;
    angle = low + (high - low) * random.uniform();
  }
}

}  // namespace linkgistic

// Quantiles of new observations where y (or its logarithm) is nu plus noise of one law: they are the mean of
// nu plus a smooth function of its standard deviation alone, which is computed at few places and interpolated
// between them.
#pragma once

#include <cmath>
#include <numbers>

#include "numeric/types.hpp"

namespace linkgistic {

/// g(sd_i) for each standard deviation; many are interpolated by a polynomial through Chebyshev's points in
/// sd, those far above the rest are computed one by one.
template <class Of>
Vector smooth_in_deviation(const Vector& sd, const Of& g) {
  constexpr Index degree = 24;
  Vector result(sd.size());
  double lower = INFINITY;
  for (const double value : sd) lower = std::fmin(lower, value);
  double upper = lower;
  const double most = 2 * lower + 1;  // where the function bends little
  for (const double value : sd)
    if (value <= most) upper = std::fmax(upper, value);
  if (sd.size() <= 2 * degree || !(upper > lower)) {
    for (Index i = 0; i < sd.size(); ++i) result[i] = i > 0 && sd[i] == sd[i - 1] ? result[i - 1] : g(sd[i]);
    return result;
  }
  Vector node(degree + 1), value(degree + 1), weight(degree + 1);
  for (Index k = 0; k <= degree; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k) / degree;
    node[k] = (lower + upper) / 2 + (upper - lower) / 2 * std::cos(angle);
    value[k] = g(node[k]);
    weight[k] = (k % 2 == 0 ? 1 : -1) * (k == 0 || k == degree ? 0.5 : 1);
  }
  // The barycentric formula (J. Berrut and L. Trefethen, SIAM Review 46, 2004).
  for (Index i = 0; i < sd.size(); ++i) {
    if (!(sd[i] <= upper)) {
      result[i] = g(sd[i]);
      continue;
    }
    double above = 0, below = 0;
    result[i] = 0;
    bool exact = false;
    for (Index k = 0; k <= degree && !exact; ++k) {
      const double distance = sd[i] - node[k];
      exact = distance == 0;
      if (exact) result[i] = value[k];
      above += weight[k] / distance * value[k];
      below += weight[k] / distance;
    }
    if (!exact) result[i] = above / below;
  }
  return result;
}

}  // namespace linkgistic

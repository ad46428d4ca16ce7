// The logistic function and its relatives, accurate to a few units in the last place over all of the real
// line.
#pragma once

#include <cmath>

namespace linkgistic {

/// log(1 + exp(t)): t for large t, exp(t) for very negative t; 0 and infinity at the infinities.
inline double softplus(double t) { return t > 0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t)); }

/// 1/(1 + exp(-t)), relative accuracy at both ends (sigmoid(-t) is 1 - sigmoid(t) without the subtraction).
inline double sigmoid(double t) {
  if (t >= 0) return 1 / (1 + std::exp(-t));
  const double e = std::exp(t);
  return e / (1 + e);
}

/// log(exp(a) + exp(b)).
inline double log_add(double a, double b) {
  if (a < b) return log_add(b, a);
  return std::isinf(a) ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace linkgistic

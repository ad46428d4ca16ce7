// Newton's method on the constraint set. The quadratic model about v has the weights w_i/u' and the targets
// v_i - (u^-1(v_i) - z_i) u', both at u^-1(v_i); its minimiser under the constraints is a Lipschitz isotonic
// regression. The set is convex, so every point between v and that minimiser is feasible, and the step ends
// where the objective, convex along it, is least.
#include "baseline/bregman_isotonic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "baseline/lipschitz_isotonic.hpp"

namespace linkgistic {
namespace {

bool feasible(std::span<const double> z, std::span<const double> v, const SlopeBounds& bounds) {
  if (v.front() < 0 || v.back() > 1) return false;
  for (std::size_t i = 1; i < z.size(); ++i) {
    const double step = z[i] - z[i - 1];
    const double rise = v[i] - v[i - 1];
    if (rise < bounds.lower * step || rise > bounds.upper * step) return false;
  }
  return true;
}

/// Derivative of the objective at v + s d along d.
double slope_along(std::span<const double> z, std::span<const double> weight, const TronLink& link,
                   std::span<const double> v, std::span<const double> d, double s) {
  double sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i)
    sum += weight[i] * (link.inverse(v[i] + s * d[i]).z - z[i]) * d[i];
  return sum;
}

/// The s in (0, 1] with the least objective: where the increasing derivative is 0, to a tenth of a percent.
double step_length(std::span<const double> z, std::span<const double> weight, const TronLink& link,
                   std::span<const double> v, std::span<const double> d) {
  if (slope_along(z, weight, link, v, d, 1) <= 0) return 1;
  double left = 0;
  double right = 1;
  while (right - left > 1e-3 * right) {
    const double middle = (left + right) / 2;
    (slope_along(z, weight, link, v, d, middle) <= 0 ? left : right) = middle;
    if (right < 1e-9) return 0;
  }
  return left;
}

}  // namespace

std::vector<double> bregman_isotonic(std::span<const double> z, std::span<const double> weight,
                                     const TronLink& link, const SlopeBounds& bounds) {
  constexpr int most_steps = 50;
  constexpr double tolerance = 1e-11;
  const std::size_t n = z.size();
  const LipschitzOptions options{bounds.lower, bounds.upper, 0.0, 1.0, 1};
  std::vector<double> v(n);
  std::transform(z.begin(), z.end(), v.begin(), link);
  if (feasible(z, v, bounds)) return v;
  std::vector<double> target(n), curvature(n), d(n);
  // From the unconstrained minimiser v = u(z), which need not be feasible, all of the way.
  for (int step = 0; step < most_steps; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      const TronLink::Inverse inverse = link.inverse(v[i]);
      target[i] = v[i] - (inverse.z - z[i]) * inverse.slope;
      curvature[i] = weight[i] / inverse.slope;
    }
    const std::vector<double> next = lipschitz_isotonic(z, target, curvature, options);
    if (step == 0) {
      v = next;
      continue;
    }
    double furthest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      d[i] = next[i] - v[i];
      furthest = std::max(furthest, std::abs(d[i]));
    }
    const double s = step_length(z, weight, link, v, d);
    if (s == 1) {
      v = next;
    } else {
      for (std::size_t i = 0; i < n; ++i) v[i] += s * d[i];
    }
    if (s * furthest <= tolerance) break;
  }
  return v;
}

}  // namespace linkgistic

// A step along a descent direction that satisfies the strong Wolfe conditions, where evaluations are cheap.
#pragma once

#include <cmath>
#include <optional>

namespace linkgistic {

struct LinePoint {
  double t = 0;
  double value = 0;
  double slope = 0;
};

struct LineSearchOptions {
  double decrease = 1e-4;  ///< value <= value(0) + decrease t slope(0)
  double curvature = 0.1;  ///< |slope| <= curvature |slope(0)|
  double rounding = 3e-7;  ///< values are known to this times |value(0)|; within it the slope decides
  int max_evaluations = 40;
};

inline bool satisfies_wolfe(const LinePoint& start, const LinePoint& p, const LineSearchOptions& options) {
  return p.value <=
             start.value + options.decrease * p.t * start.slope + options.rounding * std::abs(start.value) &&
         std::abs(p.slope) <= options.curvature * std::abs(start.slope);
}

/// `line(t)` gives the LinePoint at t. From a bracket by doubling, secant steps on the slope that fall back
/// on bisection (Nocedal & Wright 2006, section 3.5, with the slope's zero in place of the cubic's minimum).
/// Empty if there is none: every decrease is within rounding, or there is no lower bound.
template <class Line>
std::optional<LinePoint> wolfe_search(Line&& line, const LinePoint& start, const LinePoint& first,
                                      const LineSearchOptions& options = {}) {
  LinePoint low = start;
  std::optional<LinePoint> high;
  LinePoint p = first;
  double last_width = 0;
  for (int i = 0; i < options.max_evaluations; ++i) {
    if (satisfies_wolfe(start, p, options)) return p;
    const bool sufficient = p.value <= start.value + options.decrease * p.t * start.slope +
                                           options.rounding * std::abs(start.value);
    if (!std::isfinite(p.value) || !sufficient || p.slope > 0) {
      high = p;
    } else {
      low = p;
    }
    double t = 2 * p.t;
    if (high) {
      const double width = high->t - low.t;
      const double secant = low.t - low.slope * width / (high->slope - low.slope);
      const bool inside = high->slope > 0 && secant > low.t + 0.05 * width && secant < high->t - 0.05 * width;
      const bool shrinks = last_width == 0 || width < 0.6 * last_width;
      t = inside && shrinks ? secant : low.t + 0.5 * width;
      last_width = width;
      if (width < 1e-12 * first.t) break;
    }
    p = line(t);
  }
  if (low.t > 0 && low.value < start.value) return low;
  return std::nullopt;
}

}  // namespace linkgistic

// Line searches of many problems at once, each by some steps a request: strong Wolfe conditions along descent
// directions, from the sums at several steps in place of one after the other.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

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
};

inline bool falls_enough(const LinePoint& start, const LinePoint& p, const LineSearchOptions& options) {
  return p.value <=
         start.value + options.decrease * p.t * start.slope + options.rounding * std::abs(start.value);
}

inline bool satisfies_wolfe(const LinePoint& start, const LinePoint& p, const LineSearchOptions& options) {
  return falls_enough(start, p, options) && std::abs(p.slope) <= options.curvature * std::abs(start.slope);
}

/// The state of a search. `begin` is at t = 0; `end`, at t = 1, has failed.
struct LineBracket {
  LinePoint begin, end;
  LinePoint low;                  // the longest step with a sufficient decrease that still falls
  std::optional<LinePoint> high;  // a step that is too long
  std::optional<LinePoint> found;
  bool open = true;

  LineBracket(const LinePoint& at_zero, const LinePoint& at_one);
  /// The steps to look at next.
  [[nodiscard]] std::vector<double> steps() const;
  /// Takes the points at these steps, in increasing order of t.
  void narrow(std::span<const LinePoint> points, const LineSearchOptions& options);
  /// The step to take, or none: every decrease is within rounding.
  [[nodiscard]] std::optional<double> step() const;

  static constexpr std::size_t steps_at_once = 8;
};

}  // namespace linkgistic

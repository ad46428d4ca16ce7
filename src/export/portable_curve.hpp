// A curve that any language can evaluate: a table of cubics on equal cells, straight beyond its ends.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace linkgistic {

/// u(x) = x; or, with edges e_0 < e_1 < ..., i + (x - e_i) / (e_{i+1} - e_i) for x in the interval of number
/// i, the first and the last of which go on beyond their ends: equal cells of u are narrow where the edges
/// are dense.
struct CurveAxis {
  std::vector<double> edges;  // none: u = x

  [[nodiscard]] double at(double x) const;
  [[nodiscard]] double inverse(double u) const;
};

/// Cell c of [lower, upper], which u cuts into equal ones, has the value a + b t + c t^2 + d t^3 at
/// t = (u(x) - u(lower)) per_unit - c; beyond the ends it is straight in x.
struct PortableCurve {
  CurveAxis axis;
  double lower = 0, upper = 1;
  double begin = 0, per_unit = 1;  // begin = u(lower)
  double slope_below = 1, slope_above = 1;
  std::vector<std::array<double, 4>> cells;  // a, b, c, d

  [[nodiscard]] double operator()(double x) const;
};

/// Values of the function at many points.
using CurveValues = std::function<std::vector<double>(std::span<const double>)>;
/// How far two values are apart, in units of what a table may be wrong by.
using CurveDistance = std::function<double(double, double)>;

/// The function on [lower, upper] with the fewest cells, a power of two from 64 to 65,536 (with kinks about
/// that), with which it is everywhere within a unit of distance, and at least `least_cells`.
PortableCurve tabulate(const CurveValues& values, double lower, double upper, const CurveAxis& axis,
                       const CurveDistance& distance, std::size_t least_cells = 64);

}  // namespace linkgistic

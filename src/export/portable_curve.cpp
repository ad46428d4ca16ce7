#include "export/portable_curve.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/interpolate.hpp"

namespace linkgistic {
namespace {

// The ends of every cell, each with a place a thousandth of the cell further in: slopes are taken from within
// the cell, since a curve may have another one beyond its end.
std::vector<double> cell_places(const PortableCurve& curve, std::size_t cells) {
  constexpr double step = 1e-3;
  std::vector<double> x;
  x.reserve(6 * cells);
  for (std::size_t c = 0; c < cells; ++c)
    for (const double t : {0.0, step, 2 * step, 1 - 2 * step, 1 - step, 1.0})
      x.push_back(curve.axis.inverse(curve.begin + (static_cast<double>(c) + t) / curve.per_unit));
  return x;
}

PortableCurve with_cells(const CurveValues& values, PortableCurve curve, std::size_t cells) {
  const double end = curve.axis.at(curve.upper);
  curve.per_unit = static_cast<double>(cells) / (end - curve.begin);
  const std::vector<double> x = cell_places(curve, cells), y = values(x);
  const auto t = [&](std::size_t i) { return (curve.axis.at(x[i]) - curve.begin) * curve.per_unit; };
  for (std::size_t c = 0; c < cells; ++c) {
    // In units of a cell, of the parabola through three places.
    const auto slope = [&](std::size_t at, std::size_t near, std::size_t far) {
      const double h = t(near) - t(at), k = t(far) - t(at);
      return ((y[near] - y[at]) * k / h - (y[far] - y[at]) * h / k) / (k - h);
    };
    const std::size_t i = 6 * c;
    curve.cells.push_back(
        Cubic{y[i], y[i + 5], slope(i, i + 1, i + 2), slope(i + 5, i + 4, i + 3)}.coefficients());
  }
  // Beyond the ends, where most curves are straight.
  const double width = curve.upper - curve.lower;
  const std::vector<double> far = values(std::vector{curve.lower - width, curve.upper + width});
  curve.slope_below = (y.front() - far[0]) / width;
  curve.slope_above = (far[1] - y.back()) / width;
  return curve;
}

double worst_distance(const CurveValues& values, const PortableCurve& curve, const CurveDistance& distance) {
  std::vector<double> x;
  for (std::size_t c = 0; c < curve.cells.size(); ++c) {
    for (const double share : {0.2, 0.5, 0.8})
      x.push_back(curve.axis.inverse(curve.begin + (static_cast<double>(c) + share) / curve.per_unit));
  }
  const std::vector<double> y = values(x);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, distance(curve(x[i]), y[i]));
  return worst;
}

}  // namespace

double CurveAxis::at(double x) const {
  if (edges.empty()) return x;
  const KnotPlace place = place_among(edges, x);
  return static_cast<double>(place.cell) + place.share;
}

double CurveAxis::inverse(double u) const {
  if (edges.empty()) return u;
  const KnotPlace place = place_on_grid(u, edges.size() - 1);
  return place.between(edges[place.cell], edges[place.cell + 1]);
}

double PortableCurve::operator()(double x) const {
  const double inside = std::clamp(x, lower, upper);
  const double u = (axis.at(inside) - begin) * per_unit;
  // NaN is in no cell: the first one stands in, and t is NaN.
  const double cell = u >= 0 ? std::min(std::floor(u), static_cast<double>(cells.size() - 1)) : 0;
  const auto& [a, b, c, d] = cells[static_cast<std::size_t>(cell)];
  const double t = u - cell;
  const double beyond = x < lower ? slope_below * (x - lower) : x > upper ? slope_above * (x - upper) : 0;
  return a + t * (b + t * (c + t * d)) + beyond;
}

PortableCurve tabulate(const CurveValues& values, double lower, double upper, const CurveAxis& axis,
                       const CurveDistance& distance, std::size_t least_cells) {
  constexpr std::size_t most_cells = 65536;
  PortableCurve start;
  start.axis = axis;
  start.lower = lower;
  start.upper = upper > lower ? upper : lower + 1;
  start.begin = axis.at(lower);
  const std::size_t intervals = axis.edges.empty() ? 1 : axis.edges.size() - 1;
  for (std::size_t cells = axis.edges.empty() ? std::max<std::size_t>(64, least_cells) : intervals;
       cells <= most_cells; cells *= 2) {
    PortableCurve curve = with_cells(values, start, cells);
    if (worst_distance(values, curve, distance) <= 1) return curve;
  }
  throw InputError("the curve is too steep for a table of " + std::to_string(most_cells) + " cells");
}

}  // namespace linkgistic

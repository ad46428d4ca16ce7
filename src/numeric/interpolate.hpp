// Functions of one variable by their values at knots: straight between them, or cubic and increasing.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace linkgistic {

/// Where x lies: `share` of the way from knot `cell` to the next one. Beyond the ends the share is below 0 or
/// above 1, so that an interpolation continues as a straight line.
struct KnotPlace {
  std::size_t cell;
  double share;

  /// The ends of the cell stand for everything beyond.
  [[nodiscard]] KnotPlace held() const;
  /// Straight from a to b: a at share 0, b at share 1, and increasing in the share where a <= b.
  [[nodiscard]] double between(double a, double b) const;
};

/// Knots that increase; of equal ones the last counts. At least two.
KnotPlace place_among(std::span<const double> knots, double x);

/// Among the knots 0, 1, ..., cells.
KnotPlace place_on_grid(double x, std::size_t cells);

/// Equal steps from one end to the other; at least two points.
std::vector<double> evenly_spaced(double lower, double upper, std::size_t points);

/// Straight between its knots, constant outside.
class PiecewiseLinear {
 public:
  /// Knots strictly increasing, one value each, at least one.
  PiecewiseLinear(std::vector<double> knots, std::vector<double> values);

  [[nodiscard]] std::span<const double> knots() const { return knots_; }
  [[nodiscard]] std::span<const double> values() const { return values_; }

  [[nodiscard]] double operator()(double x) const;
  [[nodiscard]] std::vector<double> operator()(std::span<const double> x) const;

 private:
  std::vector<double> knots_;
  std::vector<double> values_;
};

/// Hermite's cubic on [0, 1]: the values and slopes at both ends.
struct Cubic {
  double left, right, left_slope, right_slope;

  [[nodiscard]] double at(double x) const {
    const double rise = right - left;
    // left + x rise + x (1-x) ((1-x) (left_slope - rise) - x (right_slope - rise))
    return left + x * (rise + (1 - x) * ((1 - x) * (left_slope - rise) - x * (right_slope - rise)));
  }
  /// The coefficients of 1, x, x^2, x^3.
  [[nodiscard]] std::array<double, 4> coefficients() const {
    const double rise = right - left;
    return {left, left_slope, 3 * rise - 2 * left_slope - right_slope, left_slope + right_slope - 2 * rise};
  }
};

/// Slopes with which cubics through increasing values increase: the harmonic means of the secants on both
/// sides, at the ends the secant (F. Fritsch and J. Butland, SIAM Journal on Scientific and Statistical
/// Computing 5, 1984). Knots strictly increasing; 0 for a single one.
std::vector<double> monotone_slopes(std::span<const double> knots, std::span<const double> values);

/// The cubics with these values and slopes at the knots, straight beyond the ends. At least two knots.
double cubic_through(std::span<const double> knots, std::span<const double> values,
                     std::span<const double> slopes, double x);

/// A function tabulated with its slopes at the ends of equal cells: cubic between, straight beyond with the
/// slopes of the ends. Where it increases, slopes above three times that of a neighbouring cell are cut to
/// it, which keeps the cubics increasing (F. Fritsch and R. Carlson, SIAM Journal on Numerical Analysis 17,
/// 1980).
class CubicTable {
 public:
  /// The identity.
  CubicTable() = default;
  /// At nodes that cut [lower, upper] into equal cells; at least two nodes.
  CubicTable(double lower, double upper, std::span<const double> values, std::span<const double> slopes);

  [[nodiscard]] double operator()(double x) const;
  /// Each of the numbers becomes the function's value there.
  void apply(std::span<double> x) const;

 private:
  struct Node {
    double value, rise;  // the slope times the width of a cell
  };
  std::vector<Node> nodes_;  // none: the identity
  double lower_ = 0, per_width_ = 1;
  double rise_below_ = 0, rise_above_ = 0;
};

}  // namespace linkgistic

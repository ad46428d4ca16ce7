#include "numeric/interpolate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

// (x - a)/(b - a), halved where the width overflows.
double share_of(double x, double a, double b) {
  const double width = b - a;
  return width < 1e308 ? (x - a) / width : (x / 2 - a / 2) / (b / 2 - a / 2);
}

}  // namespace

KnotPlace KnotPlace::held() const { return {cell, std::clamp(share, 0.0, 1.0)}; }

double KnotPlace::between(double a, double b) const { return std::lerp(a, b, share); }

KnotPlace place_among(std::span<const double> knots, double x) {
  const auto above =
      static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), x) - knots.begin());
  const std::size_t k = std::clamp<std::size_t>(above, 1, knots.size() - 1) - 1;
  if (knots[k] == knots[k + 1]) return {k, 1};
  return {k, share_of(x, knots[k], knots[k + 1])};
}

KnotPlace place_on_grid(double x, std::size_t cells) {
  const double cell = x > 0 ? std::min(std::floor(x), static_cast<double>(cells - 1)) : 0.0;
  return {static_cast<std::size_t>(cell), x - cell};
}

std::vector<double> evenly_spaced(double lower, double upper, std::size_t points) {
  std::vector<double> result(points);
  for (std::size_t i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(points - 1);
    result[i] = (1 - share) * lower + share * upper;
  }
  return result;
}

PiecewiseLinear::PiecewiseLinear(std::vector<double> knots, std::vector<double> values)
    : knots_(std::move(knots)), values_(std::move(values)) {
  if (knots_.empty() || knots_.size() != values_.size())
    throw InputError("a piecewise linear function needs one value a knot and at least one knot");
  if (std::adjacent_find(knots_.begin(), knots_.end(), std::greater_equal<>()) != knots_.end())
    throw InputError("the knots of a piecewise linear function must increase strictly");
}

double PiecewiseLinear::operator()(double x) const {
  if (knots_.size() == 1) return values_.front();
  const KnotPlace place = place_among(knots_, x).held();
  return place.between(values_[place.cell], values_[place.cell + 1]);
}

std::vector<double> PiecewiseLinear::operator()(std::span<const double> x) const {
  std::vector<double> out(x.size());
  std::transform(x.begin(), x.end(), out.begin(), [this](double value) { return (*this)(value); });
  return out;
}

std::vector<double> monotone_slopes(std::span<const double> knots, std::span<const double> values) {
  std::vector<double> slopes(knots.size(), 0.0);
  if (knots.size() < 2) return slopes;
  const std::size_t last = knots.size() - 1;
  const auto secant = [&](std::size_t k) { return (values[k + 1] - values[k]) / (knots[k + 1] - knots[k]); };
  for (std::size_t k = 0; k <= last; ++k) {
    const double left = secant(k == 0 ? 0 : k - 1), right = secant(k == last ? last - 1 : k);
    slopes[k] = 2 / (1 / left + 1 / right);
  }
  return slopes;
}

double cubic_through(std::span<const double> knots, std::span<const double> values,
                     std::span<const double> slopes, double x) {
  const std::size_t last = knots.size() - 1;
  if (x <= knots[0]) return values[0] - slopes[0] * (knots[0] - x);
  if (x >= knots[last]) return values[last] + slopes[last] * (x - knots[last]);
  const auto [k, share] = place_among(knots, x);
  const double width = knots[k + 1] - knots[k];
  // Cubic::at, with the rounding that fits and their draws have always had.
  const double t = share, u = 1 - t;
  return u * u * ((1 + 2 * t) * values[k] + t * width * slopes[k]) +
         t * t * ((1 + 2 * u) * values[k + 1] - u * width * slopes[k + 1]);
}

CubicTable::CubicTable(double lower, double upper, std::span<const double> values,
                       std::span<const double> slopes)
    : nodes_(values.size()), lower_(lower) {
  const std::size_t cells = nodes_.size() - 1;
  const double width = (upper - lower) / static_cast<double>(cells);
  per_width_ = 1 / width;
  for (std::size_t i = 0; i <= cells; ++i) nodes_[i] = {values[i], width * slopes[i]};
  rise_below_ = nodes_.front().rise;
  rise_above_ = nodes_.back().rise;
  for (std::size_t i = 0; i < cells; ++i) {
    Node& left = nodes_[i];
    Node& right = nodes_[i + 1];
    const double rise = right.value - left.value;
    if (rise < 0 || left.rise < 0 || right.rise < 0) continue;
    left.rise = std::min(left.rise, 3 * rise);
    right.rise = std::min(right.rise, 3 * rise);
  }
}

double CubicTable::operator()(double x) const {
  if (nodes_.empty()) return x;
  const auto cells = static_cast<double>(nodes_.size() - 1);
  const double u = (x - lower_) * per_width_;
  if (!(u >= 0)) return nodes_.front().value + u * rise_below_;  // also what is not a number
  if (u >= cells) return nodes_.back().value + (u - cells) * rise_above_;
  const auto i = static_cast<std::size_t>(u);
  const Node& a = nodes_[i];
  const Node& b = nodes_[i + 1];
  return Cubic{a.value, b.value, a.rise, b.rise}.at(u - static_cast<double>(i));
}

void CubicTable::apply(std::span<double> x) const {
  if (nodes_.empty()) return;
  for (double& value : x) value = (*this)(value);
}

}  // namespace linkgistic

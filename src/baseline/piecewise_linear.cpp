#include "baseline/piecewise_linear.hpp"

#include <algorithm>
#include <functional>

#include <linkgistic/error.hpp>

namespace linkgistic {

PiecewiseLinear::PiecewiseLinear(std::vector<double> knots, std::vector<double> values)
    : knots_(std::move(knots)), values_(std::move(values)) {
  if (knots_.empty() || knots_.size() != values_.size())
    throw InputError("a piecewise linear function needs one value a knot and at least one knot");
  if (std::adjacent_find(knots_.begin(), knots_.end(), std::greater_equal<>()) != knots_.end())
    throw InputError("the knots of a piecewise linear function must increase strictly");
}

double PiecewiseLinear::operator()(double x) const {
  const auto right = std::upper_bound(knots_.begin(), knots_.end(), x);
  if (right == knots_.begin()) return values_.front();
  if (right == knots_.end()) return values_.back();
  const auto k = static_cast<std::size_t>(right - knots_.begin());
  const double width = knots_[k] - knots_[k - 1];
  // Halved where the width overflows.
  const double t = width < 1e308 ? (x - knots_[k - 1]) / width
                                 : (x / 2 - knots_[k - 1] / 2) / (knots_[k] / 2 - knots_[k - 1] / 2);
  // A convex combination stays between its ends, so the function is monotone wherever its values are.
  return std::clamp((1 - t) * values_[k - 1] + t * values_[k], std::min(values_[k - 1], values_[k]),
                    std::max(values_[k - 1], values_[k]));
}

std::vector<double> PiecewiseLinear::operator()(std::span<const double> x) const {
  std::vector<double> out(x.size());
  std::transform(x.begin(), x.end(), out.begin(), [this](double value) { return (*this)(value); });
  return out;
}

}  // namespace linkgistic

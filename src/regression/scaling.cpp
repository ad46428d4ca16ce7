#include "regression/scaling.hpp"

#include <cstdlib>

namespace linkgistic {
namespace {

// unit = above/below.
double size_of(const Scaling& s, const Unit& unit) {
  double above = 1, below = 1;
  for (int k = 0; k < std::abs(unit.y); ++k) (unit.y > 0 ? above : below) *= std::abs(s.y_scale);
  for (int k = 0; k < std::abs(unit.x); ++k) (unit.x > 0 ? above : below) *= std::abs(s.x_half);
  return above / below;
}

}  // namespace

double Scaling::to_user(const HyperParameter& hyper, double value) const {
  if (hyper.reading == Reading::level) return to_y(value);
  const double size = size_of(*this, hyper.unit);
  return hyper.reading == Reading::deviation ? size / std::sqrt(value) : size * value;
}

double Scaling::from_user(const HyperParameter& hyper, double value) const {
  if (hyper.reading == Reading::level) return (value - y_shift) / y_scale;
  const double size = size_of(*this, hyper.unit);
  return hyper.reading == Reading::deviation ? size * size / (value * value) : value / size;
}

}  // namespace linkgistic

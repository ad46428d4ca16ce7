#include "regression/scaling.hpp"

#include <cmath>

namespace linkgistic {
namespace {

// value in the units of the data = factor * value in the fit's coordinates.
double factor_of(const Scaling& s, PriorKind prior, BasisKind basis, const std::string& name) {
  const double y = std::abs(s.y_scale);
  if (name == "gamma") return 1 / (y * y);
  if (name == "scale" || (name == "b" && prior != PriorKind::gp)) return y / s.x_half;  // a slope
  if (name == "b") return y * y;
  if (name == "a" && basis == BasisKind::nystrom) return 1 / (s.x_half * s.x_half);
  return 1;
}

}  // namespace

double Scaling::to_user(PriorKind prior, BasisKind basis, const std::string& name, double value) const {
  if (name == "mu") return to_y(value);
  if (name == "precision") return std::abs(y_scale) / std::sqrt(value);
  return factor_of(*this, prior, basis, name) * value;
}

double Scaling::from_user(PriorKind prior, BasisKind basis, const std::string& name, double value) const {
  if (name == "mu") return (value - y_shift) / y_scale;
  if (name == "precision") return y_scale * y_scale / (value * value);
  return value / factor_of(*this, prior, basis, name);
}

}  // namespace linkgistic

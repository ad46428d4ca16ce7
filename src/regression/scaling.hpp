// The coordinates of a fit: t = (x - x_middle)/x_half in [-1, 1] and, for a response with units,
// u = (y - y_shift)/y_scale of unit variance. When nu decreases, y_scale is negative; if y has no units,
// x_half is negative instead. Users set and read values in the units of the data.
#pragma once

#include <tuple>

#include "source/hyper_parameter.hpp"

namespace linkgistic {

struct Scaling {
  double x_middle = 0, x_half = 1;
  double y_shift = 0, y_scale = 1;

  [[nodiscard]] double to_t(double x) const { return (x - x_middle) / x_half; }
  [[nodiscard]] double to_y(double u) const { return y_shift + y_scale * u; }

  auto fields() { return std::tie(x_middle, x_half, y_shift, y_scale); }

  /// A hyper-parameter from the fit's coordinates to the units of the data, and back.
  [[nodiscard]] double to_user(const HyperParameter& hyper, double value) const;
  [[nodiscard]] double from_user(const HyperParameter& hyper, double value) const;
};

}  // namespace linkgistic

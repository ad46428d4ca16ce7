#include "regression/shape.hpp"

namespace linkgistic {

CurveShape shape_of(const MonotoneRegressionOptions& options) {
  using D = Direction;
  switch (options.shape) {
    case Shape::automatic:
      return {options.direction, 0, options.prior != PriorKind::gp};
    case Shape::increasing:
      return {D::increasing, 0, true};
    case Shape::decreasing:
      return {D::decreasing, 0, true};
    case Shape::convex:
      return {D::automatic, 1, false};
    case Shape::concave:
      return {D::automatic, -1, false};
    case Shape::increasing_convex:
      return {D::increasing, 1, true};
    case Shape::increasing_concave:
      return {D::increasing, -1, true};
    case Shape::decreasing_convex:
      return {D::decreasing, 1, true};
    case Shape::decreasing_concave:
      return {D::decreasing, -1, true};
  }
  return {};
}

std::optional<Curvature> fit_curvature(const CurveShape& shape, bool y_has_units) {
  if (shape.curvature == 0) return std::nullopt;
  if (!shape.monotone) return Curvature{shape.curvature, false, 0};
  const bool turned = shape.direction == Direction::decreasing && y_has_units;
  const int sign = turned ? -shape.curvature : shape.curvature;
  return Curvature{sign, true, sign > 0 ? -1.0 : 1.0};
}

}  // namespace linkgistic

// What the options of a regression say of its curve, in parts.
#pragma once

#include <optional>

#include <linkgistic/monotone_regression.hpp>

#include "source/trig_source.hpp"

namespace linkgistic {

struct CurveShape {
  Direction direction = Direction::automatic;
  int curvature = 0;  // 1: convex, -1: concave, 0: not known
  bool monotone = true;
};

/// By `direction` or by `shape`, of which one is auto.
CurveShape shape_of(const MonotoneRegressionOptions& options);

/// The curvature in the coordinates of the fit, where a monotone curve increases over [-1, 1]. Where it falls
/// in those of the data, y is turned about if it has units, and with it the curvature, else x is. The slope
/// is least at the edge where it begins.
std::optional<Curvature> fit_curvature(const CurveShape& shape, bool y_has_units);

}  // namespace linkgistic

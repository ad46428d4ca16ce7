// A hyper-parameter: its name and meaning, the unit a user reads it in, the coordinate in which it is
// learned, bounds and a weak prior in that coordinate.
#pragma once

#include <string>
#include <vector>

#include "numeric/types.hpp"

namespace linkgistic {

/// The unconstrained coordinate theta of a value.
enum class Coordinate {
  identity,       // theta = value
  log,            // theta = log value,        value > 0
  log_minus_one,  // theta = log(value - 1),   value > 1
  logit,          // theta = log(value/(1 - value)), 0 < value < 1
};

/// How the value in standard units becomes the one that a user reads.
enum class Reading {
  size,       // value x^unit.x y^unit.y, x and y the units' sizes
  level,      // a place on the axis of y: its origin and direction count
  deviation,  // value^(-1/2) x^unit.x y^unit.y: a precision, shown as a standard deviation
};

/// Powers of the units of x and y.
struct Unit {
  int x = 0, y = 0;
};

struct HyperParameter {
  std::string name;  // as users write it
  Coordinate coordinate = Coordinate::identity;
  double start = 0;             // natural value, in standard units
  double lower = 0, upper = 0;  // bounds, natural values
  double prior_mean = 0;        // of theta ~ N(prior_mean, prior_sd^2)
  double prior_sd = 1;
  Unit unit = {};
  Reading reading = Reading::size;
  std::string meaning = {};  // for a user; {x} and {y} stand for the columns' names
  bool used = true;          // false: the density does not depend on it, so it is not learned
  bool is_scale =
      false;  // of a response: the derivatives of log p(y | nu) in nu are proportional to the value

  [[nodiscard]] double to_theta(double value) const;
  [[nodiscard]] double to_value(double theta) const;
};

/// The coordinates of the starting values.
Vector start_theta(const std::vector<HyperParameter>& hyper);

}  // namespace linkgistic

// A hyper-parameter: a name, the coordinate in which it is learned, bounds and a weak prior in that
// coordinate.
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

struct HyperParameter {
  std::string name;
  Coordinate coordinate = Coordinate::identity;
  double start = 0;             // natural value
  double lower = 0, upper = 0;  // bounds, natural values
  double prior_mean = 0;        // of theta ~ N(prior_mean, prior_sd^2)
  double prior_sd = 1;

  [[nodiscard]] double to_theta(double value) const;
  [[nodiscard]] double to_value(double theta) const;
};

/// The coordinates of the starting values.
Vector start_theta(const std::vector<HyperParameter>& hyper);

}  // namespace linkgistic

// Maximisation of a smooth function within bounds, a few unknowns (NLopt's sequential quadratic programming).
#pragma once

#include <functional>
#include <string>

#include "numeric/types.hpp"

namespace linkgistic {

struct MaximiseOptions {
  int max_evaluations = 200;
  double value_tolerance = 1e-7;  // stop when a step changes the value by less than this
};

struct MaximiseResult {
  Vector x;
  double value = 0;
  int evaluations = 0;
  bool converged = false;
  std::string stop;  // in words
};

/// f(x, gradient) returns the value and writes the gradient. The result is the best point evaluated, so it is
/// never worse than the start. When f throws Interrupted the search ends with that point, or with the start
/// where none was evaluated; other exceptions of f pass through.
MaximiseResult maximise(const std::function<double(const Vector&, Vector&)>& f, const Vector& start,
                        const Vector& lower, const Vector& upper, const MaximiseOptions& options = {});

}  // namespace linkgistic

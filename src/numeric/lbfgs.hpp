// Minimises a function by L-BFGS over an inverse Hessian that the caller knows about. By hand for the same
// reason as the history that it is made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "numeric/lbfgs_history.hpp"

namespace linkgistic {

struct DescentOptions {
  std::size_t history = 12;
  int most_steps = 60;
  /// Of the Newton decrement, relative to 1 + |value|.
  double tolerance = 1e-10;
  /// Polled after every step; true ends the descent there.
  std::function<bool()> stop;
};

struct Descent {
  double value = 0;
  int steps = 0;
  bool converged = false, interrupted = false;
};

/// From x. `evaluate(x, gradient)` returns the value; its last call is at the x that is returned. `prepare()`
/// is called before each use of `solve(r)`, about the inverse of the Hessian at the last evaluation times r.
template <class Evaluate, class Prepare, class Solve>
Descent descend(Eigen::VectorXd& x, Evaluate&& evaluate, Prepare&& prepare, Solve&& solve,
                const DescentOptions& options) {
  LbfgsHistory history(options.history);
  Descent result;
  Eigen::VectorXd gradient;
  result.value = evaluate(x, gradient);
  for (; result.steps < options.most_steps && !result.interrupted; ++result.steps) {
    prepare();
    const Eigen::VectorXd direction = -history.apply(gradient, solve);
    const double slope = gradient.dot(direction);
    result.converged = !(slope < -options.tolerance * (1 + std::abs(result.value)));
    if (result.converged) break;
    // The first step with a sufficient decrease: 1, then the least value of the parabola through what is
    // known, between a tenth and a half of the last one.
    constexpr int most_cuts = 12;
    double length = 1;
    Eigen::VectorXd at_gradient;
    double at = evaluate(x + direction, at_gradient);
    for (int i = 0; i < most_cuts && !(at <= result.value + 1e-4 * length * slope); ++i) {
      const double cut = -length * slope / (2 * (at - result.value - length * slope));
      length *= cut > 0.1 ? std::min(cut, 0.5) : 0.1;  // also where the value is no number
      at = evaluate(x + length * direction, at_gradient);
    }
    if (!(at < result.value)) {
      result.value = evaluate(x, gradient);
      break;
    }
    history.add(length * direction, at_gradient - gradient);
    x += length * direction;
    gradient = at_gradient;
    result.value = at;
    result.interrupted = options.stop && options.stop();
  }
  return result;
}

}  // namespace linkgistic

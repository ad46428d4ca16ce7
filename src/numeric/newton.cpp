#include "numeric/newton.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace linkgistic {

std::string_view to_string(NewtonStop stop) {
  switch (stop) {
    case NewtonStop::converged:
      return "converged";
    case NewtonStop::no_progress:
      return "no further progress";
    case NewtonStop::iteration_limit:
      break;
  }
  return "iteration limit";
}

NewtonResult minimise_newton(const NewtonObjective& f, const Vector& start, const NewtonOptions& options) {
  NewtonResult at;
  at.x = start;
  at.value = f.derivatives(at.x, at.gradient, at.hessian);
  if (!std::isfinite(at.value)) {
    at.stop = NewtonStop::no_progress;
    return at;
  }
  const Index n = start.size();
  double damping = 0;
  const auto scale = [&] { return at.hessian.diagonal().cwiseAbs().mean(); };

  for (; at.iterations < options.max_iterations; ++at.iterations) {
    const double tolerance = options.gradient_tolerance * (1 + std::abs(at.value));
    Eigen::LLT<Matrix> llt(at.hessian + damping * Matrix::Identity(n, n));
    if (at.gradient.lpNorm<Eigen::Infinity>() <= tolerance && damping == 0 && llt.info() == Eigen::Success) {
      at.stop = NewtonStop::converged;
      return at;
    }
    bool moved = false;
    for (int attempt = 0; attempt < 60 && !moved; ++attempt) {
      if (llt.info() == Eigen::Success) {
        const Vector step = -llt.solve(at.gradient);
        // The model's decrease: -g.s - s'Hs/2.
        const double predicted = -at.gradient.dot(step) - step.dot(at.hessian * step) / 2;
        const Vector x = at.x + step;
        const double value = f.value(x);
        const double rounding = 64 * std::numeric_limits<double>::epsilon() * (1 + std::abs(at.value));
        const double gain = at.value - value;
        const bool below_rounding = predicted <= rounding;
        if (std::isfinite(value) && (gain >= 1e-4 * predicted || (below_rounding && gain >= -rounding))) {
          Vector gradient;
          Matrix hessian;
          const double exact = f.derivatives(x, gradient, hessian);
          if (below_rounding && gradient.norm() >= at.gradient.norm()) {
            // The values no longer tell better from worse and the gradient does not fall: this is the
            // minimum.
            at.stop = at.gradient.lpNorm<Eigen::Infinity>() <= 1e3 * tolerance ? NewtonStop::converged
                                                                               : NewtonStop::no_progress;
            return at;
          }
          at.x = x;
          at.value = exact;
          at.gradient = gradient;
          at.hessian = hessian;
          moved = true;
          // Trust the model more after a step that went as predicted, less after one that did not.
          if (gain >= 0.7 * predicted || below_rounding) {
            damping = damping > 1e-8 * scale() ? damping / 10 : 0;
          } else if (gain < 0.2 * predicted) {
            damping = std::max(2 * damping, 1e-4 * scale());
          }
          break;
        }
      }
      damping = std::max(4 * damping, 1e-3 * scale());
      llt.compute(at.hessian + damping * Matrix::Identity(n, n));
    }
    if (!moved) {
      at.stop = at.gradient.lpNorm<Eigen::Infinity>() <= 1e3 * tolerance ? NewtonStop::converged
                                                                         : NewtonStop::no_progress;
      return at;
    }
  }
  return at;
}

}  // namespace linkgistic

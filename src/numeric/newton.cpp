#include "numeric/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numeric/decompositions.hpp"

namespace linkgistic {
namespace {

constexpr double sufficient_share = 1e-4;  // of the decrease that the model predicts
constexpr int max_attempts = 60;           // of raising the damping, a factor of 4 each

enum class Step { taken, at_minimum, failed };

// The state of the iteration.
class Iteration {
 public:
  Iteration(const NewtonObjective& f, const Vector& start) : f_(f) {
    at_.x = start;
    at_.value = f.derivatives(at_.x, at_.gradient, at_.hessian);
  }

  [[nodiscard]] NewtonResult& result() { return at_; }
  [[nodiscard]] double steepest() const { return at_.gradient.lpNorm<Eigen::Infinity>(); }

  [[nodiscard]] bool is_minimum(double tolerance) const {
    return steepest() <= tolerance && damping_ == 0 && damped().positive();
  }

  // What the undamped model has left to gain, g'H^-1 g/2; infinite where H is not positive.
  [[nodiscard]] double left() const {
    const Cholesky root(at_.hessian);
    if (!root.positive()) return std::numeric_limits<double>::infinity();
    return at_.gradient.dot(root.solve(at_.gradient)) / 2;
  }

  // One step, with as much damping as it takes.
  Step step() {
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
      const Cholesky root = damped();
      if (root.positive()) {
        const Step outcome = try_step(-root.solve(at_.gradient));
        if (outcome != Step::failed) return outcome;
      }
      damping_ = std::max(4 * damping_, 1e-3 * scale());
    }
    return Step::failed;
  }

 private:
  [[nodiscard]] Cholesky damped() const {
    return Cholesky(at_.hessian + damping_ * Matrix::Identity(at_.x.size(), at_.x.size()));
  }
  [[nodiscard]] double scale() const { return at_.hessian.diagonal().cwiseAbs().mean(); }

  Step try_step(const Vector& step) {
    // The model's decrease: -g.s - s'Hs/2.
    const double predicted = -at_.gradient.dot(step) - step.dot(at_.hessian * step) / 2;
    NewtonResult next;
    next.x = at_.x + step;
    const double value = f_.value(next.x);
    const double gain = at_.value - value;
    const double rounding = 64 * std::numeric_limits<double>::epsilon() * (1 + std::abs(at_.value));
    const bool below_rounding = predicted <= rounding;
    const bool falls = gain >= sufficient_share * predicted || (below_rounding && gain >= -rounding);
    if (!std::isfinite(value) || !falls) return Step::failed;
    next.value = f_.derivatives(next.x, next.gradient, next.hessian);
    // When the values no longer tell better from worse, the gradient must.
    if (below_rounding && next.gradient.norm() >= at_.gradient.norm()) return Step::at_minimum;
    next.iterations = at_.iterations + 1;
    at_ = std::move(next);
    // Trust the model more after a step that went as predicted, less after one that did not.
    if (gain >= 0.7 * predicted || below_rounding) {
      damping_ = damping_ > 1e-8 * scale() ? damping_ / 10 : 0;
    } else if (gain < 0.2 * predicted) {
      damping_ = std::max(2 * damping_, 1e-4 * scale());
    }
    return Step::taken;
  }

  const NewtonObjective& f_;
  NewtonResult at_;
  double damping_ = 0;
};

}  // namespace

std::string_view to_string(NewtonStop stop) {
  constexpr std::string_view words[] = {"converged", "no further progress", "iteration limit"};
  return words[static_cast<std::size_t>(stop)];
}

NewtonResult minimise_newton(const NewtonObjective& f, const Vector& start, const NewtonOptions& options) {
  Iteration iteration(f, start);
  NewtonResult& at = iteration.result();
  at.stop = NewtonStop::no_progress;
  if (!std::isfinite(at.value)) return at;
  while (at.iterations < options.max_iterations) {
    const double tolerance = options.gradient_tolerance * (1 + std::abs(at.value));
    if (iteration.is_minimum(tolerance)) {
      at.stop = NewtonStop::converged;
      return at;
    }
    if (iteration.step() != Step::taken) {
      // Rounding stopped it; near enough to flat, or to the model's minimum, is a minimum all the same.
      const bool flat = iteration.steepest() <= 1e3 * tolerance;
      const bool done = flat || iteration.left() <= 1e-10 * (1 + std::abs(at.value));
      at.stop = done ? NewtonStop::converged : NewtonStop::no_progress;
      return at;
    }
  }
  at.stop = NewtonStop::iteration_limit;
  return at;
}

}  // namespace linkgistic

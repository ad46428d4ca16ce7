// Minimisation of a smooth function by Newton's method with Levenberg's damping on the exact Hessian.
//
// Step: (H + damping I) s = -g, damping the smallest tried that makes the matrix positive definite and the
// function fall as the quadratic model says; the coordinates should be scaled so that I is a sensible metric.
#pragma once

#include <string_view>

#include "numeric/types.hpp"

namespace linkgistic {

struct NewtonOptions {
  int max_iterations = 200;
  double gradient_tolerance = 1e-9;  // stop when |g|_inf <= tolerance (1 + |f|)
};

enum class NewtonStop { converged, no_progress, iteration_limit };
std::string_view to_string(NewtonStop stop);

struct NewtonResult {
  Vector x;
  double value = 0;
  Vector gradient;
  Matrix hessian;
  int iterations = 0;
  NewtonStop stop = NewtonStop::iteration_limit;
};

class NewtonObjective {
 public:
  virtual ~NewtonObjective() = default;
  [[nodiscard]] virtual double value(const Vector& x) const = 0;
  /// The value, with gradient and Hessian.
  virtual double derivatives(const Vector& x, Vector& gradient, Matrix& hessian) const = 0;
};

NewtonResult minimise_newton(const NewtonObjective& f, const Vector& start,
                             const NewtonOptions& options = {});

}  // namespace linkgistic

#include "loss/alpha.hpp"

#include <cmath>

#include <linkgistic/error.hpp>

#include "text/print_number.hpp"

namespace linkgistic {

AlphaLoss::AlphaLoss(double alpha, double tail) : AlphaLoss(alpha, 1.0, tail) {}

AlphaLoss::AlphaLoss(double alpha, double scale, double tail)
    : ProperLoss(tail), alpha_(alpha), scale_(scale) {
  // Outside of these bounds the curvature of L at 1/2 or its ends is beyond the range of a double.
  if (!(alpha >= 0.01 && alpha <= 100))
    throw UsageError("alpha = " + shortest(alpha) + " must be in [0.01, 100]");
  find_range();
}

std::string AlphaLoss::bare_name() const { return "alpha=" + shortest(alpha_); }

double AlphaLoss::bare_partial(int y, double t) const {
  // log(u/N) = -softplus(-alpha t)/alpha, k = (alpha - 1)/alpha
  const double s = softplus(y == 1 ? -alpha_ * t : alpha_ * t);
  const double k = (alpha_ - 1) / alpha_;
  return scale_ * (k == 0 ? s : -std::expm1(-k * s) / k);
}

ProperLoss::LogitLink AlphaLoss::bare_link(double t) const {
  // psi' = -l(1, .)'/(1 - u) = alpha sigmoid(-alpha t)/(1 - u) exp(-k softplus(-alpha t)), even in t
  const double h = std::abs(t);
  const double k = (alpha_ - 1) / alpha_;
  const double log_slope =
      std::log(scale_ * alpha_) - (alpha_ - 1) * h + softplus(-h) - (1 + k) * softplus(-alpha_ * h);
  const double v = sigmoid(alpha_ * t);
  const double v_other = sigmoid(-alpha_ * t);
  const double second = sigmoid(t) - alpha_ * v + (alpha_ - 1) * v_other;
  const double third = second * second + sigmoid(t) * sigmoid(-t) - alpha_ * (2 * alpha_ - 1) * v * v_other;
  return {log_slope, second, third};
}

}  // namespace linkgistic

#include "loss/cost_log.hpp"

#include <cmath>

#include <linkgistic/error.hpp>

#include "text/print_number.hpp"

namespace linkgistic {

CostLogLoss::CostLogLoss(double cost, double tail)
    : ProperLoss(tail), cost_(cost), shift_(std::log(cost) - std::log1p(-cost)) {
  if (!(cost > 0 && cost < 1)) throw UsageError("cost = " + shortest(cost) + " must be in (0, 1)");
  find_range();
}

std::string CostLogLoss::bare_name() const { return "cost=" + shortest(cost_); }

double CostLogLoss::bare_partial(int y, double t) const {
  return y == 1 ? 2 * cost_ * softplus(-(t + shift_)) : 2 * (1 - cost_) * softplus(t + shift_);
}

ProperLoss::LogitLink CostLogLoss::bare_link(double t) const {
  // psi' = 2 (1 - c) v + 2 c (1 - v)
  const double v = sigmoid(t + shift_);
  const double v_other = sigmoid(-(t + shift_));
  const double slope = 2 * ((1 - cost_) * v + cost_ * v_other);
  const double second = 2 * (1 - 2 * cost_) * v * v_other / slope;
  return {std::log(slope), second, second * (v_other - v)};
}

}  // namespace linkgistic

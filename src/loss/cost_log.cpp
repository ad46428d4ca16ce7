// Cost-weighted log loss: the log loss where missing a 1 costs c and a 0 costs 1 - c, made proper. The
// prediction that is least costly when P(y = 1) = u is v with logit v = logit u + logit c, so
//   l(1, u) = -2 c log v, l(0, u) = -2 (1 - c) log(1 - v).
// c = 1/2 is the log loss. The canonical link has slope 2 c far to the left and 2 (1 - c) far to the right in
// logit u.
#include <cmath>

#include <linkgistic/error.hpp>

#include "loss/losses.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

class CostLogLoss final : public ProperLoss {
 public:
  CostLogLoss(double cost, double tail)
      : ProperLoss(tail), cost_(cost), shift_(std::log(cost) - std::log1p(-cost)) {
    if (!(cost > 0 && cost < 1)) throw UsageError("cost = " + shortest(cost) + " must be in (0, 1)");
    find_range();
  }
  [[nodiscard]] bool symmetric() const override { return cost_ == 0.5; }

 protected:
  [[nodiscard]] std::string bare_name() const override { return "cost=" + shortest(cost_); }
  [[nodiscard]] double bare_partial(int y, double t) const override {
    return y == 1 ? 2 * cost_ * softplus(-(t + shift_)) : 2 * (1 - cost_) * softplus(t + shift_);
  }
  [[nodiscard]] LogitLink bare_link(double t) const override {
    // psi' = 2 (1 - c) v + 2 c (1 - v)
    const double v = sigmoid(t + shift_);
    const double v_other = sigmoid(-(t + shift_));
    const double slope = 2 * ((1 - cost_) * v + cost_ * v_other);
    const double second = 2 * (1 - 2 * cost_) * v * v_other / slope;
    return {std::log(slope), second, second * (v_other - v)};
  }

 private:
  double cost_;
  double shift_;  // logit c
};

}  // namespace

std::shared_ptr<const ProperLoss> make_cost_loss(double cost, double tail) {
  return std::make_shared<CostLogLoss>(cost, tail);
}

}  // namespace linkgistic

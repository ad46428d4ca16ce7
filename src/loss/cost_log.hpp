// Cost-weighted log loss: the log loss where missing a 1 costs c and a 0 costs 1 - c, made proper. The
// prediction that is least costly when P(y = 1) = u is v with logit v = logit u + logit c, so
//   l(1, u) = -2 c log v, l(0, u) = -2 (1 - c) log(1 - v).
// c = 1/2 is the log loss. The canonical link has slope 2 c far to the left and 2 (1 - c) far to the right in
// logit u.
#pragma once

#include "loss/proper_loss.hpp"

namespace linkgistic {

class CostLogLoss final : public ProperLoss {
 public:
  /// 0 < cost < 1.
  explicit CostLogLoss(double cost, double tail = 0);
  [[nodiscard]] bool symmetric() const override { return cost_ == 0.5; }

 protected:
  [[nodiscard]] std::string bare_name() const override;
  [[nodiscard]] double bare_partial(int y, double t) const override;
  [[nodiscard]] LogitLink bare_link(double t) const override;

 private:
  double cost_;
  double shift_;  // logit c
};

}  // namespace linkgistic

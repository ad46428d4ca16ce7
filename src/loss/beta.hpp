// Beta family (Buja, Stuetzle & Shen 2005): the proper losses of weight function w(u) = 2^(a+b) u^(a-1) (1 -
// u)^(b-1),
//   l(0, u) = 2^(a+b) B(u; a + 1, b), l(1, u) = 2^(a+b) B(1 - u; b + 1, a), B the incomplete beta function.
// The scale makes w(1/2) = 4, as the log loss (a = b = 0) has it; a = b = -1/2 is Matsushita's loss, a = b =
// 1 twice the square loss. a != b weighs the two kinds of error differently. The link is bounded at 0 for a >
// 0 and at 1 for b > 0.
#pragma once

#include "loss/proper_loss.hpp"

namespace linkgistic {

class BetaLoss final : public ProperLoss {
 public:
  /// -1 < a, b <= 20.
  BetaLoss(double a, double b, double tail = 0);
  [[nodiscard]] bool symmetric() const override { return a_ == b_; }

 protected:
  [[nodiscard]] std::string bare_name() const override;
  [[nodiscard]] double bare_partial(int y, double t) const override;
  [[nodiscard]] LogitLink bare_link(double t) const override;

 private:
  double a_;
  double b_;
};

}  // namespace linkgistic

// Square (Brier) loss: l(1, u) = (1 - u)^2, l(0, u) = u^2; L = u (1 - u), w = 2, psi(u) = 2 u - 1 in [-1, 1].
#pragma once

#include "loss/proper_loss.hpp"

namespace linkgistic {

class SquareLoss final : public ProperLoss {
 public:
  explicit SquareLoss(double tail = 0);

 protected:
  [[nodiscard]] std::string bare_name() const override;
  [[nodiscard]] double bare_partial(int y, double t) const override;
  [[nodiscard]] LogitLink bare_link(double t) const override;
  [[nodiscard]] std::optional<double> bare_inverse(double nu) const override;
};

}  // namespace linkgistic

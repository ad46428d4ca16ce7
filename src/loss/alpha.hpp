// Alpha losses: the proper losses whose Bayes risk is Arimoto's entropy of order alpha > 0,
//   L(u) = alpha/(alpha - 1) (1 - N), N = (u^alpha + (1 - u)^alpha)^(1/alpha),
//   l(1, u) = alpha/(alpha - 1) (1 - (u/N)^(alpha - 1)), and l(0, u) = l(1, 1 - u).
// alpha = 1/2 is Matsushita's loss, 1 the log loss, 2 twice the spherical loss. For alpha > 1 the link is
// bounded by alpha/(alpha - 1).
#pragma once

#include "loss/proper_loss.hpp"

namespace linkgistic {

class AlphaLoss : public ProperLoss {
 public:
  explicit AlphaLoss(double alpha, double tail = 0);

 protected:
  AlphaLoss(double alpha, double scale, double tail);
  [[nodiscard]] std::string bare_name() const override;
  [[nodiscard]] double bare_partial(int y, double t) const override;
  [[nodiscard]] LogitLink bare_link(double t) const override;

 private:
  double alpha_;
  double scale_;
};

}  // namespace linkgistic

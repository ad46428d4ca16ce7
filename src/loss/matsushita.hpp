// Matsushita's loss: l(1, u) = sqrt((1 - u)/u), l(0, u) = sqrt(u/(1 - u)); L = 2 sqrt(u (1 - u)). It is the
// loss of boosting: under the link t/2 (half of the log-odds) it is the exponential margin loss exp(-y t/2);
// under its canonical link nu = 2 sinh(t/2) it is (sqrt(nu^2 + 4) -+ nu)/2.
#pragma once

#include "loss/proper_loss.hpp"

namespace linkgistic {

class MatsushitaLoss final : public ProperLoss {
 public:
  explicit MatsushitaLoss(double tail = 0);

 protected:
  [[nodiscard]] std::string bare_name() const override;
  [[nodiscard]] double bare_partial(int y, double t) const override;
  [[nodiscard]] LogitLink bare_link(double t) const override;
  [[nodiscard]] std::optional<double> bare_inverse(double nu) const override;
};

}  // namespace linkgistic

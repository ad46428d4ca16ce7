// Log loss: l(1, u) = -log u, l(0, u) = -log(1 - u); L is Shannon's entropy, and the link is the log-odds.
#pragma once

#include "loss/proper_loss.hpp"

namespace linkgistic {

class LogLoss final : public ProperLoss {
 public:
  explicit LogLoss(double tail = 0);

 protected:
  [[nodiscard]] std::string bare_name() const override;
  [[nodiscard]] double bare_partial(int y, double t) const override;
  [[nodiscard]] LogitLink bare_link(double t) const override;
  [[nodiscard]] std::optional<double> bare_inverse(double nu) const override;
};

}  // namespace linkgistic

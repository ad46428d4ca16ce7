// Log loss: l(1, u) = -log u, l(0, u) = -log(1 - u); L is Shannon's entropy, and the link is the log-odds.
#include "loss/losses.hpp"

namespace linkgistic {
namespace {

class LogLoss final : public ProperLoss {
 public:
  explicit LogLoss(double tail) : ProperLoss(tail) { find_range(); }

 protected:
  [[nodiscard]] std::string bare_name() const override { return "log"; }
  [[nodiscard]] double bare_partial(int y, double t) const override { return softplus(y == 1 ? -t : t); }
  [[nodiscard]] LogitLink bare_link(double) const override { return {0, 0, 0}; }
  [[nodiscard]] std::optional<double> bare_inverse(double nu) const override { return nu; }
};

}  // namespace

std::shared_ptr<const ProperLoss> make_log_loss(double tail) { return std::make_shared<LogLoss>(tail); }

}  // namespace linkgistic

// Square (Brier) loss: l(1, u) = (1 - u)^2, l(0, u) = u^2; L = u (1 - u), w = 2, psi(u) = 2 u - 1 in [-1, 1].
#include <cmath>
#include <numbers>

#include "loss/losses.hpp"

namespace linkgistic {
namespace {

class SquareLoss final : public ProperLoss {
 public:
  explicit SquareLoss(double tail) : ProperLoss(tail) { find_range(); }

 protected:
  [[nodiscard]] std::string bare_name() const override { return "square"; }
  [[nodiscard]] double bare_partial(int y, double t) const override {
    const double miss = sigmoid(y == 1 ? -t : t);
    return miss * miss;
  }
  [[nodiscard]] LogitLink bare_link(double t) const override {
    // psi = tanh(t/2), psi' = 2 u (1 - u)
    const double p = sigmoid(t);
    const double q = sigmoid(-t);
    return {std::numbers::ln2 - softplus(t) - softplus(-t), q - p, (q - p) * (q - p) - 2 * p * q};
  }
  [[nodiscard]] std::optional<double> bare_inverse(double nu) const override { return 2 * std::atanh(nu); }
};

}  // namespace

std::shared_ptr<const ProperLoss> make_square_loss(double tail) { return std::make_shared<SquareLoss>(tail); }

}  // namespace linkgistic

// Matsushita's loss: l(1, u) = sqrt((1 - u)/u), l(0, u) = sqrt(u/(1 - u)); L = 2 sqrt(u (1 - u)). It is the
// loss of boosting: under the link t/2 (half of the log-odds) it is the exponential margin loss exp(-y t/2);
// under its canonical link nu = 2 sinh(t/2) it is (sqrt(nu^2 + 4) -+ nu)/2.
#include <cmath>
#include <numbers>

#include "loss/losses.hpp"

namespace linkgistic {
namespace {

class MatsushitaLoss final : public ProperLoss {
 public:
  explicit MatsushitaLoss(double tail) : ProperLoss(tail) { find_range(); }

 protected:
  [[nodiscard]] std::string bare_name() const override { return "matsushita"; }
  [[nodiscard]] double bare_partial(int y, double t) const override {
    return std::exp(y == 1 ? -t / 2 : t / 2);
  }
  [[nodiscard]] LogitLink bare_link(double t) const override {
    // psi = 2 sinh(t/2), psi' = cosh(t/2)
    const double h = std::abs(t) / 2;
    return {h + std::log1p(std::exp(-2 * h)) - std::numbers::ln2, std::tanh(t / 2) / 2, 0.25};
  }
  [[nodiscard]] std::optional<double> bare_inverse(double nu) const override {
    return 2 * std::asinh(nu / 2);
  }
};

}  // namespace

std::shared_ptr<const ProperLoss> make_matsushita_loss(double tail) {
  return std::make_shared<MatsushitaLoss>(tail);
}

}  // namespace linkgistic

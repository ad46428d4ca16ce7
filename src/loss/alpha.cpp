// Alpha losses: the proper losses whose Bayes risk is Arimoto's entropy of order alpha > 0,
//   L(u) = alpha/(alpha - 1) (1 - N), N = (u^alpha + (1 - u)^alpha)^(1/alpha),
//   l(1, u) = alpha/(alpha - 1) (1 - (u/N)^(alpha - 1)), and l(0, u) = l(1, 1 - u).
// alpha = 1/2 is Matsushita's loss, 1 the log loss, 2 twice the spherical loss. For alpha > 1 the link is
// bounded by alpha/(alpha - 1).
#include <cmath>

#include <linkgistic/error.hpp>

#include "loss/losses.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

class AlphaLoss final : public ProperLoss {
 public:
  AlphaLoss(double alpha, double scale, std::string name, double tail)
      : ProperLoss(tail), alpha_(alpha), scale_(scale), name_(std::move(name)) {
    // Outside of these bounds the curvature of L at 1/2 or its ends is beyond the range of a double.
    if (!(alpha >= 0.01 && alpha <= 100))
      throw UsageError("alpha = " + shortest(alpha) + " must be in [0.01, 100]");
    find_range();
  }

 protected:
  [[nodiscard]] std::string bare_name() const override { return name_; }
  [[nodiscard]] double bare_partial(int y, double t) const override {
    // log(u/N) = -softplus(-alpha t)/alpha, k = (alpha - 1)/alpha
    const double s = softplus(y == 1 ? -alpha_ * t : alpha_ * t);
    const double k = (alpha_ - 1) / alpha_;
    return scale_ * (k == 0 ? s : -std::expm1(-k * s) / k);
  }
  [[nodiscard]] LogitLink bare_link(double t) const override {
    // psi' = -l(1, .)'/(1 - u) = alpha sigmoid(-alpha t)/(1 - u) exp(-k softplus(-alpha t)), even in t
    const double h = std::abs(t);
    const double k = (alpha_ - 1) / alpha_;
    const double log_slope =
        std::log(scale_ * alpha_) - (alpha_ - 1) * h + softplus(-h) - (1 + k) * softplus(-alpha_ * h);
    const double v = sigmoid(alpha_ * t);
    const double v_other = sigmoid(-alpha_ * t);
    const double second = sigmoid(t) - alpha_ * v + (alpha_ - 1) * v_other;
    const double third = second * second + sigmoid(t) * sigmoid(-t) - alpha_ * (2 * alpha_ - 1) * v * v_other;
    return {log_slope, second, third};
  }

 private:
  double alpha_, scale_;
  std::string name_;
};

}  // namespace

std::shared_ptr<const ProperLoss> make_alpha_loss(double alpha, double tail) {
  return std::make_shared<AlphaLoss>(alpha, 1.0, "alpha=" + shortest(alpha), tail);
}

// Spherical loss: l(1, u) = 1 - u/n, l(0, u) = 1 - (1 - u)/n, n^2 = u^2 + (1 - u)^2; L = 1 - n, w = n^-3, psi
// in [-1, 1]: half of the alpha loss of order 2.
std::shared_ptr<const ProperLoss> make_spherical_loss(double tail) {
  return std::make_shared<AlphaLoss>(2.0, 0.5, "spherical", tail);
}

}  // namespace linkgistic

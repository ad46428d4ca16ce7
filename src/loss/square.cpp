#include "loss/square.hpp"

#include <cmath>
#include <numbers>

namespace linkgistic {

SquareLoss::SquareLoss(double tail) : ProperLoss(tail) { find_range(); }

std::string SquareLoss::bare_name() const { return "square"; }

double SquareLoss::bare_partial(int y, double t) const {
  const double miss = sigmoid(y == 1 ? -t : t);
  return miss * miss;
}

ProperLoss::LogitLink SquareLoss::bare_link(double t) const {
  // psi = tanh(t/2), psi' = 2 u (1 - u)
  const double p = sigmoid(t);
  const double q = sigmoid(-t);
  return {std::numbers::ln2 - softplus(t) - softplus(-t), q - p, (q - p) * (q - p) - 2 * p * q};
}

std::optional<double> SquareLoss::bare_inverse(double nu) const { return 2 * std::atanh(nu); }

}  // namespace linkgistic

#include "loss/matsushita.hpp"

#include <cmath>
#include <numbers>

namespace linkgistic {

MatsushitaLoss::MatsushitaLoss(double tail) : ProperLoss(tail) { find_range(); }

std::string MatsushitaLoss::bare_name() const { return "matsushita"; }

double MatsushitaLoss::bare_partial(int y, double t) const { return std::exp(y == 1 ? -t / 2 : t / 2); }

ProperLoss::LogitLink MatsushitaLoss::bare_link(double t) const {
  // psi = 2 sinh(t/2), psi' = cosh(t/2)
  const double h = std::abs(t) / 2;
  return {h + std::log1p(std::exp(-2 * h)) - std::numbers::ln2, std::tanh(t / 2) / 2, 0.25};
}

std::optional<double> MatsushitaLoss::bare_inverse(double nu) const { return 2 * std::asinh(nu / 2); }

}  // namespace linkgistic

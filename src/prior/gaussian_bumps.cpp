#include "prior/gaussian_bumps.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace linkgistic {

GaussianBumps::GaussianBumps(std::vector<Bump> bumps, std::optional<double> origin)
    : bumps_(std::move(bumps)), origin_(origin) {}

void GaussianBumps::evaluate(double x, VectorRef phi) const {
  phi[0] = 1;
  if (origin_) phi[1] = x - *origin_;
  Index k = first_bump();
  for (const auto& [m, p] : bumps_) {
    if (origin_) {
      const double root = std::sqrt(p);
      phi[k++] = std::sqrt(std::numbers::pi) / (2 * root) *
                 (std::erf(root * (x - m)) - std::erf(root * (*origin_ - m)));
    } else {
      phi[k++] = std::exp(-p * (x - m) * (x - m));
    }
  }
}

void GaussianBumps::derivative(double x, VectorRef phi) const {
  phi[0] = 0;
  if (origin_) phi[1] = 1;
  Index k = first_bump();
  for (const auto& [m, p] : bumps_) {
    const double bump = std::exp(-p * (x - m) * (x - m));
    phi[k++] = origin_ ? bump : -2 * p * (x - m) * bump;
  }
}

}  // namespace linkgistic

#include "response/gaussian.hpp"

#include <cmath>
#include <numbers>

namespace linkgistic {

std::vector<HyperParameter> GaussianLikelihood::hyper_parameters() const {
  return {{"precision", Coordinate::log, 4.0, 1e-4, 1e12, std::log(4.0), 2.0}};
}

LogDensity GaussianLikelihood::at(double y, double nu, const Vector& eta) const {
  const double alpha = std::exp(eta[0]);
  const double r = y - nu;
  return {(eta[0] - std::log(2 * std::numbers::pi) - alpha * r * r) / 2, alpha * r, -alpha, 0};
}

LogDensity GaussianLikelihood::hyper_derivative(double y, double nu, const Vector& eta, Index) const {
  const double alpha = std::exp(eta[0]);
  const double r = y - nu;
  return {(1 - alpha * r * r) / 2, alpha * r, -alpha, 0};
}

}  // namespace linkgistic

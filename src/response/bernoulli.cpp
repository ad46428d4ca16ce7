#include "response/bernoulli.hpp"

#include <cmath>

#include "numeric/logistic.hpp"

namespace linkgistic {

double LabelResponse::probability_below(double y, double nu, const Vector& eta) const {
  return y < 0 ? 0 : y < 1 ? 1 - mean(nu, eta) : 1;
}

double LabelResponse::quantile(double level, double nu, const Vector& eta) const {
  return probability_below(0, nu, eta) >= level ? 0 : 1;
}

double LabelResponse::saturated(double y, const Vector&) const {
  const auto share = [](double p) { return p > 0 ? p * std::log(p) : 0; };
  return share(y) + share(1 - y);
}

double BernoulliResponse::mean(double nu, const Vector&) const { return sigmoid(nu); }

LogDensity BernoulliResponse::at(double y, double nu, const Vector&) const {
  const double e = std::exp(-std::abs(nu));  // never overflows
  const double tail = 1 / (1 + e);           // max(p, 1 - p)
  const double p = nu >= 0 ? tail : e * tail;
  const double q = nu >= 0 ? e * tail : tail;  // 1 - p, without cancellation
  const double log_partition = std::fmax(nu, 0.0) + std::log1p(e);
  return {y * nu - log_partition, y * q - (1 - y) * p, -p * q, -p * q * (q - p)};
}

std::optional<QuadraticDensity> BernoulliResponse::quadratic_bound(double y, double square,
                                                                   const Vector&) const {
  const double z = std::sqrt(std::fmax(square, 0.0));
  const double lambda = z < 1e-4 ? 0.125 - z * z / 96 : std::tanh(z / 2) / (4 * z);
  // log(2 cosh(z/2)) = z/2 + log(1 + e^-z).
  return QuadraticDensity{lambda * z * z - z / 2 - std::log1p(std::exp(-z)), y - 0.5, 2 * lambda};
}

}  // namespace linkgistic

#include "likelihood/bernoulli.hpp"

#include <cmath>

namespace linkgistic {

LogDensity BernoulliLikelihood::at(double y, double nu, const Vector&) const {
  const double e = std::exp(-std::abs(nu));  // never overflows
  const double tail = 1 / (1 + e);           // max(p, 1 - p)
  const double p = nu >= 0 ? tail : e * tail;
  const double q = nu >= 0 ? e * tail : tail;  // 1 - p, without cancellation
  const double log_partition = std::fmax(nu, 0.0) + std::log1p(e);
  return {y * nu - log_partition, y * q - (1 - y) * p, -p * q, -p * q * (q - p)};
}

}  // namespace linkgistic

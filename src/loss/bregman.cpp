#include "loss/bregman.hpp"

#include <cmath>

namespace linkgistic {

double primal_divergence(const ProperLoss& loss, Probability u, Probability v) {
  // u (l(1, v) - l(1, u)) + (1 - u) (l(0, v) - l(0, u)): no infinite parts cancel.
  double sum = 0;
  for (const int y : {0, 1})
    if (u.of(y) > 0) sum += u.of(y) * (loss.partial(y, v) - loss.partial(y, u));
  return sum;
}

double dual_divergence(const ProperLoss& loss, double nu, double mu) {
  // The limit for mu = -+infinity is (-L)*(nu) - y nu.
  if (std::isinf(mu)) return loss.canonical(mu > 0 ? 1 : 0, nu);
  return loss.conjugate(nu) - loss.conjugate(mu) - (nu - mu) * loss.inverse_link(mu).one();
}

}  // namespace linkgistic

// The Bregman divergences of a proper loss, in their two dual forms.
#pragma once

#include <cmath>

#include "loss/proper_loss.hpp"

namespace linkgistic {

/// D_{-L}(u || v) = L(v) - L(u) + (u - v) L'(v): the regret E_u l(Y, v) - L(u) of predicting v where u is
/// true. For u = 0 or 1 it is the loss itself.
inline double primal_divergence(const ProperLoss& loss, Probability u, Probability v) {
  // u (l(1, v) - l(1, u)) + (1 - u) (l(0, v) - l(0, u)): no infinite parts cancel.
  double sum = 0;
  for (const int y : {0, 1})
    if (u.of(y) > 0) sum += u.of(y) * (loss.partial(y, v) - loss.partial(y, u));
  return sum;
}

/// D_{(-L)*}(nu || mu) = (-L)*(nu) - (-L)*(mu) - (nu - mu) psi^-1(mu); equal to the primal one of u =
/// psi^-1(mu) and v = psi^-1(nu) (the arguments change places). mu = +-infinity stands for the labels 1 and
/// 0.
inline double dual_divergence(const ProperLoss& loss, double nu, double mu) {
  // The limit for mu = -+infinity is (-L)*(nu) - y nu.
  if (std::isinf(mu)) return loss.canonical(mu > 0 ? 1 : 0, nu);
  return loss.conjugate(nu) - loss.conjugate(mu) - (nu - mu) * loss.inverse_link(mu).one();
}

}  // namespace linkgistic

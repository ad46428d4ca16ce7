// The Bregman divergences of a proper loss, in their two dual forms.
#pragma once

#include "loss/proper_loss.hpp"

namespace linkgistic {

/// D_{-L}(u || v) = L(v) - L(u) + (u - v) L'(v): the regret E_u l(Y, v) - L(u) of predicting v where u is
/// true. For u = 0 or 1 it is the loss itself.
double primal_divergence(const ProperLoss& loss, Probability u, Probability v);

/// D_{(-L)*}(nu || mu) = (-L)*(nu) - (-L)*(mu) - (nu - mu) psi^-1(mu); equal to the primal one of u =
/// psi^-1(mu) and v = psi^-1(nu) (the arguments change places). mu = +-infinity stands for the labels 1 and
/// 0.
double dual_divergence(const ProperLoss& loss, double nu, double mu);

}  // namespace linkgistic

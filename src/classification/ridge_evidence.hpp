// The ridge by its evidence. In gamma = s beta, the coefficients on the scale where the link has unit slope,
// the model is a proper joint density with the prior gamma ~ N(0, I/l2), whatever the link:
//   p(y, gamma, nu | l2) = prod_n p(y_n | nu(gamma'z_n))^{w_n} p(nu) (l2 / 2 pi)^{D/2} exp(-l2 |gamma|^2 /
//   2).
// At the straight link, with H the Hessian of the loss at its minimum over gamma, Laplace's method gives
//   log p(y | l2) = -F + (D/2) log l2 - (1/2) log det(H + l2 I) + constant,
// F the loss with its penalty; the intercept has a flat prior and no part in I.
#pragma once

#include <utility>
#include <vector>

#include "classification/em.hpp"
#include "numeric/progress_monitor.hpp"

namespace linkgistic {

/// log p(y | l2) of a logistic regression of one score, without the constant.
double ridge_evidence(const LinkgisticEm& em, const EmResult& logistic);

struct RidgeChoice {
  double l2 = 1;
  std::vector<std::pair<double, double>> tried;  // (l2, -log p(y | l2) a row)
  bool interrupted = false;
};
/// The l2 with the greatest evidence: half decades from strong to weak, then a parabola through the best
/// three.
RidgeChoice choose_ridge_by_evidence(LinkgisticEm& em, ProgressMonitor& monitor);

/// Coefficients of logistic regression under other ridges, less those under the one that was chosen, and how
/// probable those ridges are. The prior: the log odds of the rows have, over the coefficients, a standard
/// deviation sigma = (V/l2)^(1/2), V the total variance of the features, and log sigma ~ N(log 1.5, 1).
struct RidgeSpread {
  std::vector<double> weight;
  std::vector<std::vector<double>> move;  // (D + 1) each
};
/// Half decades about the ridge of this fit, as far as they are probable; its coefficients are (D + 1).
RidgeSpread ridge_spread(LinkgisticEm& em, const EmResult& logistic, ProgressMonitor& monitor);

}  // namespace linkgistic

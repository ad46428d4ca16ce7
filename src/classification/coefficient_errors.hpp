// Standard errors of the coefficients of two classes, and their average marginal effects. Coefficients are on
// the scale where the link has unit mean slope, so that its uncertain size does not blur them: with c the
// relative derivative of the mean slope s in (beta, g), gamma_j = s beta_j has the derivative e_j + beta_j c.
// The effect of feature j is the mean over the rows of dp/dx_j, A beta_j, A the mean of dp/dm.
#pragma once

#include <vector>

#include "classification/weight_posterior.hpp"

namespace linkgistic {

/// All in the units of the columns.
struct CoefficientErrors {
  // (D + 1), the intercept first: posterior standard deviations, and those of the sandwich S M S, S the
  // posterior covariance and M the sum of the squared gradients of the rows, which holds if the model does
  // not.
  std::vector<double> error, robust;
  std::vector<double> effect, effect_error, effect_robust;  // (D)

  /// False for columns of extreme units.
  [[nodiscard]] bool all_finite() const;
};

/// `raw` is the scale of the columns themselves.
CoefficientErrors coefficient_errors(const WeightProblem& problem, const WeightPosterior& posterior,
                                     const ColumnScale& raw);

}  // namespace linkgistic

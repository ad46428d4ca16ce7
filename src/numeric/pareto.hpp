// The tail of importance ratios: its generalised Pareto shape k says whether they can be averaged. Below 1/2
// their variance is finite; above 0.7 no practical number of draws is enough (A. Vehtari, D. Simpson, A.
// Gelman, Y. Yao and J. Gabry, Pareto smoothed importance sampling, JMLR 25, 2024).
#pragma once

#include <span>
#include <vector>

namespace linkgistic {

/// Density (1/scale) (1 + shape x/scale)^(-1/shape - 1), x > 0.
struct GeneralisedPareto {
  double shape = 0, scale = 1;
};

/// The estimate of J. Zhang and M. Stephens (Technometrics 51, 2009), its shape shrunk to 1/2 by the weight
/// of ten values. `sorted`: positive, increasing, at least 5.
GeneralisedPareto fit_generalised_pareto(std::span<const double> sorted);

/// The shape of the tail of exp(log_ratio): the largest min(n/5, 3 sqrt n) of them. Infinite where there are
/// too few different ones or a ratio is not a number.
double pareto_shape(std::vector<double> log_ratio);

}  // namespace linkgistic

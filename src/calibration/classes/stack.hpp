// Weights of an average of predictions, from the probabilities that each gave labels it had not seen.
#pragma once

#include <span>
#include <vector>

namespace linkgistic {

/// The weights w (J, sum 1) with the greatest sum_n v_n log(sum_j w_j p_jn) + log Dirichlet(w), the latter as
/// if `rows` more rows had spoken for all alike. p is (J, N), v (N) or none.
std::vector<double> stack_weights(std::span<const std::vector<double>> p, std::span<const double> v,
                                  double rows);

}  // namespace linkgistic

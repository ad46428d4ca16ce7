#include "calibration/classes/stack.hpp"

#include <cmath>
#include <limits>

namespace linkgistic {

// EM: every step raises the objective, which is concave.
std::vector<double> stack_weights(std::span<const std::vector<double>> p, std::span<const double> v,
                                  double rows) {
  const auto count = static_cast<double>(p.size());
  std::vector<double> w(p.size(), 1 / count), next(p.size());
  constexpr int most_steps = 500;
  for (int step = 0; step < most_steps; ++step) {
    double total = rows;
    for (double& value : next) value = rows / count;
    for (std::size_t n = 0; n < p[0].size(); ++n) {
      const double weight = v.empty() ? 1.0 : v[n];
      double sum = std::numeric_limits<double>::min();
      for (std::size_t j = 0; j < p.size(); ++j) sum += w[j] * p[j][n];
      for (std::size_t j = 0; j < p.size(); ++j) next[j] += weight * w[j] * p[j][n] / sum;
      total += weight;
    }
    double change = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
      next[j] /= total;
      change += std::abs(next[j] - w[j]);
    }
    w.swap(next);
    if (change < 1e-7) break;
  }
  return w;
}

}  // namespace linkgistic

// The Lipschitz constant of a proper loss in the probability.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "loss/proper_loss.hpp"

namespace linkgistic {

/// sup over u of |dl(y, u)/du| = sup max(u, 1 - u) w(u), often infinite.
inline double lipschitz_in_probability(const ProperLoss& loss) {
  // |dl/du| = max(u, 1 - u) w(u) in t; whether it grows without bound shows far outside.
  const auto at = [&loss](double t) {
    const Probability u = Probability::from_logit(t);
    return std::max(u.one(), u.zero()) * loss.weight(u);
  };
  const double far = 300;
  if (std::max(at(2 * far) / at(far), at(-2 * far) / at(-far)) > 1 + 1e-9)
    return std::numeric_limits<double>::infinity();
  double best = -far;
  for (double t = -far; t <= far; t += 0.125)
    if (at(t) > at(best)) best = t;
  // Golden section around the best point of the grid.
  double a = best - 0.125;
  double b = best + 0.125;
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  while (b - a > 1e-9) {
    const double c = b - ratio * (b - a);
    const double d = a + ratio * (b - a);
    (at(c) > at(d) ? b : a) = at(c) > at(d) ? d : c;
  }
  return std::max(at(0.5 * (a + b)), at(best));
}

}  // namespace linkgistic

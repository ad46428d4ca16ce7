// Integrals by composite Gauss-Legendre quadrature, for checking closed forms.
#pragma once

#include <array>
#include <functional>

namespace linkgistic {

/// The integral of f from a to b (of either order), `panels` panels of 8 nodes.
inline double integrate(const std::function<double(double)>& f, double a, double b, int panels) {
  constexpr std::array<double, 4> node{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                       0.9602898564975363};
  constexpr std::array<double, 4> weight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                         0.1012285362903763};
  long double sum = 0;
  const double half = (b - a) / (2 * panels);
  for (int p = 0; p < panels; ++p) {
    const double centre = a + (2 * p + 1) * half;
    for (std::size_t i = 0; i < node.size(); ++i) {
      sum += weight[i] * (f(centre + half * node[i]) + f(centre - half * node[i]));
    }
  }
  return static_cast<double>(sum * half);
}

}  // namespace linkgistic

// Derivatives by the five-point stencil, for checking exact ones.
#pragma once

namespace linkgistic {

/// f'(x) to O(h^4).
template <class Function>
double finite_difference(Function f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

}  // namespace linkgistic

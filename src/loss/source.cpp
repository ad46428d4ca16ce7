#include "loss/source.hpp"

#include <algorithm>
#include <cmath>

namespace linkgistic {

double invert_source(const Source& source, double value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (std::isinf(value)) return value;
  double left = -1;
  double right = 1;
  for (; !(source.at(left).value <= value); left *= 2)
    if (left < -1e300) return -infinity;
  for (; !(source.at(right).value >= value); right *= 2)
    if (right > 1e300) return infinity;
  double x = 0.5 * (left + right);
  // Newton steps while they stay inside the bracket and halve it, else bisection.
  for (int step = 0; step < 2000 && left < right; ++step) {
    const Source::Values nu = source.at(x);
    if (nu.value == value) return x;
    (nu.value > value ? right : left) = x;
    const double newton = x - (nu.value - value) / nu.first;
    const double middle = left + 0.5 * (right - left);
    const bool inside = newton > left && newton < right;
    const double next = inside && step % 3 != 2 ? newton : middle;
    const double resolution = 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(x), 1e-300);
    if (right - left <= resolution || (inside && std::abs(newton - x) <= resolution))
      return inside ? newton : middle;
    x = next;
  }
  return x;
}

}  // namespace linkgistic

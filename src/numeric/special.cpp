#include "numeric/special.hpp"

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <unsupported/Eigen/SpecialFunctions>

namespace linkgistic {

double digamma(double x) { return Eigen::numext::digamma(x); }

double gamma_share(double s, double x) {
  return x <= 0 ? 0 : std::isinf(x) ? 1 : Eigen::numext::igamma(s, x);
}

double beta_share(double a, double b, double x) {
  return x <= 0 ? 0 : x >= 1 ? 1 : Eigen::numext::betainc(a, b, x);
}

double log_factorial(double y) {
  constexpr std::size_t size = 1024;
  static const std::array<double, size> table = [] {
    std::array<double, size> values{};
    for (std::size_t k = 0; k < size; ++k) values[k] = std::lgamma(static_cast<double>(k) + 1);
    return values;
  }();
  return y < double(size) ? table[static_cast<std::size_t>(y)] : std::lgamma(y + 1);
}

}  // namespace linkgistic

#include "source/harmonics.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "numeric/exponential_kernels.hpp"

namespace linkgistic {

using std::numbers::pi;

void Harmonics::evaluate(double x, VectorRef phi) const {
  const double theta = pi * c_ * x;
  phi[0] = 1;
  for (int j = 1; j <= harmonics_; ++j) {
    phi[j] = std::cos(j * theta);
    phi[harmonics_ + j] = std::sin(j * theta);
  }
}

void Harmonics::derivative(double x, VectorRef phi) const {
  const double theta = pi * c_ * x;
  phi[0] = 0;
  for (int j = 1; j <= harmonics_; ++j) {
    phi[j] = -pi * c_ * j * std::sin(j * theta);
    phi[harmonics_ + j] = pi * c_ * j * std::cos(j * theta);
  }
}

std::vector<double> Harmonics::angles(std::span<const double> x) const {
  std::vector<double> theta(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) theta[n] = pi * c_ * x[n];
  return theta;
}

Vector Harmonics::values(std::span<const double> x, const Vector& kappa, int threads) const {
  std::vector<double> cosine(kappa.data(), kappa.data() + harmonics_ + 1);
  std::vector<double> sine(kappa.data() + harmonics_, kappa.data() + kappa.size());
  sine[0] = 0;
  Vector nu(static_cast<Index>(x.size()));
  evaluate_exponentials(angles(x), cosine, sine, threads, {nu.data(), x.size()});
  return nu;
}

Vector Harmonics::slopes(std::span<const double> x, const Vector& kappa, int threads) const {
  // d(p cos j theta + q sin j theta)/dx = pi c j (q cos j theta - p sin j theta).
  Vector turned = Vector::Zero(kappa.size());
  for (int j = 1; j <= harmonics_; ++j) {
    const double unit = pi * c_ * j;
    turned[j] = unit * kappa[harmonics_ + j];
    turned[harmonics_ + j] = -unit * kappa[j];
  }
  return values(x, turned, threads);
}

FeatureSums Harmonics::sums(std::span<const double> x, std::span<const double> r, std::span<const double> h,
                            int threads) const {
  const ExponentialChannel channels[] = {{h, 2 * harmonics_}, {r, harmonics_}};
  const auto sums = exponential_sums(angles(x), channels, threads);
  const auto& [e, f] = sums[0];  // E_j = sum h cos(j theta), F_j = sum h sin(j theta)
  const auto even = [&e = e](int j) { return e[static_cast<std::size_t>(std::abs(j))]; };
  const auto odd = [&f = f](int j) {
    const double value = f[static_cast<std::size_t>(std::abs(j))];
    return j < 0 ? -value : value;
  };
  FeatureSums result{Vector(size()), Matrix(size(), size())};
  for (int j = 0; j <= harmonics_; ++j) {
    result.linear[j] = sums[1].cosine[static_cast<std::size_t>(j)];
    if (j > 0) result.linear[harmonics_ + j] = sums[1].sine[static_cast<std::size_t>(j)];
    for (int k = 0; k <= harmonics_; ++k) {
      result.gram(j, k) = (even(j - k) + even(j + k)) / 2;                        // cos j cos k
      if (j > 0) result.gram(harmonics_ + j, k) = (odd(j + k) + odd(j - k)) / 2;  // sin j cos k
      if (k > 0) result.gram(j, harmonics_ + k) = (odd(j + k) + odd(k - j)) / 2;  // cos j sin k
      if (j > 0 && k > 0) result.gram(harmonics_ + j, harmonics_ + k) = (even(j - k) - even(j + k)) / 2;
    }
  }
  return result;
}

Vector Harmonics::linear_sum(std::span<const double> x, std::span<const double> r, int threads) const {
  const ExponentialChannel channels[] = {{r, harmonics_}};
  const auto sums = exponential_sums(angles(x), channels, threads);
  Vector result(size());
  for (int j = 0; j <= harmonics_; ++j) {
    result[j] = sums[0].cosine[static_cast<std::size_t>(j)];
    if (j > 0) result[harmonics_ + j] = sums[0].sine[static_cast<std::size_t>(j)];
  }
  return result;
}

Vector Harmonics::quadratic_forms(std::span<const double> x, const Matrix& t, int threads) const {
  // Products of two harmonics folded into one trigonometric polynomial of degree 2J.
  std::vector<double> cosine(2 * static_cast<std::size_t>(harmonics_) + 1), sine(cosine.size());
  const auto add_even = [&](int j, double v) { cosine[static_cast<std::size_t>(std::abs(j))] += v; };
  const auto add_odd = [&](int j, double v) {
    sine[static_cast<std::size_t>(std::abs(j))] += j < 0 ? -v : v;
  };
  for (int j = 0; j <= harmonics_; ++j) {
    for (int k = 0; k <= harmonics_; ++k) {
      const double cc = t(j, k) / 2;
      const double ss = j > 0 && k > 0 ? t(harmonics_ + j, harmonics_ + k) / 2 : 0;
      add_even(j - k, cc + ss);
      add_even(j + k, cc - ss);
      if (j == 0) continue;
      const double sc = (t(harmonics_ + j, k) + t(k, harmonics_ + j)) / 2;
      add_odd(j + k, sc);
      add_odd(j - k, sc);
    }
  }
  Vector q(static_cast<Index>(x.size()));
  evaluate_exponentials(angles(x), cosine, sine, threads, {q.data(), x.size()});
  return q;
}

}  // namespace linkgistic

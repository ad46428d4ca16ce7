// What is counted over data sets.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace linkgistic::validation {

/// Mean and its standard error.
class Mean {
 public:
  void add(double value) {
    sum_ += value;
    square_ += value * value;
    ++count_;
  }
  /// The sums so far, and back.
  [[nodiscard]] std::array<double, 3> sums() const { return {sum_, square_, static_cast<double>(count_)}; }
  static Mean of(const std::array<double, 3>& sums) {
    Mean mean;
    mean.sum_ = sums[0];
    mean.square_ = sums[1];
    mean.count_ = static_cast<int>(sums[2]);
    return mean;
  }
  [[nodiscard]] double value() const { return sum_ / count_; }
  [[nodiscard]] double error() const {
    const double variance = (square_ - sum_ * sum_ / count_) / (count_ - 1);
    return std::sqrt(std::fmax(variance, 0) / count_);
  }

 private:
  double sum_ = 0, square_ = 0;
  int count_ = 0;
};

/// Upper tail of the chi-square distribution of an odd or even number of degrees of freedom, by the finite
/// sums for both.
inline double chi_square_tail(double x, int degrees) {
  if (!(x > 0)) return 1;
  const bool odd = degrees % 2 == 1;
  double sum = odd ? std::erfc(std::sqrt(x / 2)) : 0;
  // Terms (x/2)^(i) e^(-x/2) / Gamma(i + 1), i from 0 or 1/2 up to degrees/2 - 1.
  for (int twice = odd ? 1 : 0; twice < degrees - 1; twice += 2) {
    const double i = twice / 2.0;
    sum += std::exp(i * std::log(x / 2) - x / 2 - std::lgamma(i + 1));
  }
  return std::fmin(sum, 1);
}

/// The probability of counts at least this uneven were all equally likely.
inline double uniformity(std::span<const int> counts) {
  double total = 0;
  for (const int c : counts) total += c;
  const double expected = total / static_cast<double>(counts.size());
  double x = 0;
  for (const int c : counts) x += (c - expected) * (c - expected) / expected;
  return chi_square_tail(x, static_cast<int>(counts.size()) - 1);
}

}  // namespace linkgistic::validation

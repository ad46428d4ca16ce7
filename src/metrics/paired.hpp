// Two ways to predict the same rows, compared row by row.
#pragma once

#include <algorithm>
#include <cmath>

namespace linkgistic {

/// Weighted means of the losses of rows, and an interval of the mean of their differences.
struct PairedLosses {
  double first = 0, second = 0;
  double difference = 0;        // first - second
  double lower = 0, upper = 0;  // of the difference, 90 %
};

/// The sums that it takes.
class PairedLossSums {
 public:
  void add(double first, double second, double weight = 1) {
    if (!(weight > 0)) return;
    const double d = first - second, square = weight * weight;
    weight_ += weight;
    first_ += weight * first;
    second_ += weight * second;
    square_ += square;
    square_d_ += square * d;
    square_dd_ += square * d * d;
  }

  /// The interval is D +- z s with D the weighted mean of d = first - second, z = 1.645 and
  /// s^2 = sum w^2 (d - D)^2 / (sum w)^2. NaN where no row has a positive weight.
  [[nodiscard]] PairedLosses losses() const {
    constexpr double z = 1.6448536269514722;
    PairedLosses result{first_ / weight_, second_ / weight_, 0, 0, 0};
    const double d = result.difference = result.first - result.second;
    const double spread = square_dd_ - 2 * d * square_d_ + d * d * square_;
    const double s = std::sqrt(std::max(0.0, spread)) / weight_;
    result.lower = d - z * s;
    result.upper = d + z * s;
    return result;
  }

 private:
  double weight_ = 0, first_ = 0, second_ = 0;
  double square_ = 0, square_d_ = 0, square_dd_ = 0;  // sums of w^2, w^2 d, w^2 d^2
};

}  // namespace linkgistic

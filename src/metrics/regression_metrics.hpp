// How far predictions are from what was observed.
#pragma once

#include <span>

namespace linkgistic {

/// Weighted means over rows, r = y - mean: rmse = sqrt(mean r^2), mae = mean |r|, nll = mean of
/// log(2 pi s^2)/2 + r^2/(2 s^2) with s the noise, coverage = share of lower <= y <= upper.
class RegressionMetrics {
 public:
  /// noise > 0, a standard deviation.
  explicit RegressionMetrics(double noise) : noise_(noise) {}

  /// All of one length; `weight` may be empty for ones.
  void add(std::span<const double> y, std::span<const double> mean, std::span<const double> lower,
           std::span<const double> upper, std::span<const double> weight = {});

  [[nodiscard]] double total_weight() const { return weight_; }
  // NaN while the total weight is 0.
  [[nodiscard]] double rmse() const;
  [[nodiscard]] double mae() const;
  [[nodiscard]] double nll() const;
  [[nodiscard]] double coverage() const;

 private:
  double noise_;
  double weight_ = 0;
  double square_ = 0;
  double absolute_ = 0;
  double covered_ = 0;
};

}  // namespace linkgistic

// How far predictions are from what was observed.
#pragma once

#include <span>

namespace linkgistic {

/// Weighted means over rows, r = y - mean: rmse = sqrt(mean r^2), mae = mean |r|, nll = mean of
/// log(2 pi s^2)/2 + r^2/(2 s^2) with s the noise, coverage = share of lower <= y <= upper. Of a response
/// that is not Gaussian nll and deviance are those of its own densities.
class RegressionMetrics {
 public:
  /// noise > 0, a standard deviation.
  explicit RegressionMetrics(double noise) : noise_(noise) {}

  /// All of one length; `weight` may be empty for ones.
  void add(std::span<const double> y, std::span<const double> mean, std::span<const double> lower,
           std::span<const double> upper, std::span<const double> weight = {});

  /// Log densities and deviances of the same rows.
  void add_scores(std::span<const double> log_density, std::span<const double> deviance,
                  std::span<const double> weight = {});

  [[nodiscard]] bool has_scores() const { return scored_; }
  [[nodiscard]] double total_weight() const { return weight_; }
  // NaN while the total weight is 0.
  [[nodiscard]] double rmse() const;
  [[nodiscard]] double mae() const;
  [[nodiscard]] double nll() const;
  [[nodiscard]] double deviance() const { return deviance_ / weight_; }  // with scores only
  [[nodiscard]] double coverage() const;

 private:
  /// What errors are counted in: the noise, or 1 where a response has none.
  [[nodiscard]] double unit() const { return noise_ > 0 ? noise_ : 1; }

  double noise_;
  double weight_ = 0;
  double square_ = 0;
  double absolute_ = 0;
  double covered_ = 0;
  bool scored_ = false;
  double log_density_ = 0, deviance_ = 0;
};

}  // namespace linkgistic

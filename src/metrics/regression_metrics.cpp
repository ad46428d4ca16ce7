#include "metrics/regression_metrics.hpp"

#include <cmath>
#include <numbers>

namespace linkgistic {

void RegressionMetrics::add(std::span<const double> y, std::span<const double> mean,
                            std::span<const double> lower, std::span<const double> upper,
                            std::span<const double> weight) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weight.empty() ? 1 : weight[i];
    const double r = (y[i] - mean[i]) / unit();  // so that large numbers do not overflow
    weight_ += w;
    square_ += w * r * r;
    absolute_ += w * std::abs(r);
    if (lower[i] <= y[i] && y[i] <= upper[i]) covered_ += w;
  }
}

void RegressionMetrics::add_scores(std::span<const double> log_density, std::span<const double> deviance,
                                   std::span<const double> weight) {
  scored_ = true;
  for (std::size_t i = 0; i < log_density.size(); ++i) {
    const double w = weight.empty() ? 1 : weight[i];
    log_density_ += w * log_density[i];
    deviance_ += w * deviance[i];
  }
}

double RegressionMetrics::rmse() const { return unit() * std::sqrt(square_ / weight_); }

double RegressionMetrics::mae() const { return unit() * (absolute_ / weight_); }

double RegressionMetrics::nll() const {
  if (scored_) return -log_density_ / weight_;
  return std::log(2 * std::numbers::pi) / 2 + std::log(noise_) + square_ / weight_ / 2;
}

double RegressionMetrics::coverage() const { return covered_ / weight_; }

}  // namespace linkgistic

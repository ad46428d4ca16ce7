// How good predicted probabilities are, how well calibrated, and how sure that is.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "metrics/bootstrap.hpp"

namespace linkgistic {

/// One value of every metric. All are weighted: a weight is a number of repetitions. Bins are 15; W is the
/// sum of the weights, W_b that of a bin, p_b and y_b the bin's means.
template <class T>
struct PerCalibrationMetric {
  T log_loss{};        ///< infinite where probability 0 or 1 was wrong
  T brier{};           ///< mean (p - y)^2 = mcb - dsc + unc
  T ece{};             ///< sum_b W_b / W |p_b - y_b| over equal bins of p
  T ece_equal_mass{};  ///< the same over bins of equal weight; rows of equal p stay together
  /// sqrt(max(0, sum_b W_b / W ((p_b - y_b)^2 - y_b (1 - y_b) / (W_b - 1)))) over bins of equal weight, those
  /// with W_b > 1: the debiased estimate of Kumar, Liang and Ma (2019)
  T ece_debiased{};
  T smooth_ece{};  ///< smooth_ece.hpp
  /// CORP decomposition (Dimitriadis, Gneiting and Jordan 2021): with S the Brier score of the prediction,
  /// S_C of its isotonic recalibration, S_R of the mean of y, mcb = S - S_C, dsc = S_R - S_C, unc = S_R
  T mcb{};
  T dsc{};
  T unc{};
  T auc{};  ///< probability that a positive has the greater log odds, ties counted half; NaN for one class
};

/// Names and members, in the order above.
template <class T>
constexpr std::array<std::pair<std::string_view, T PerCalibrationMetric<T>::*>, 10> calibration_fields() {
  using P = PerCalibrationMetric<T>;
  return {{{"log_loss", &P::log_loss},
           {"brier", &P::brier},
           {"ece", &P::ece},
           {"ece_equal_mass", &P::ece_equal_mass},
           {"ece_debiased", &P::ece_debiased},
           {"smooth_ece", &P::smooth_ece},
           {"mcb", &P::mcb},
           {"dsc", &P::dsc},
           {"unc", &P::unc},
           {"auc", &P::auc}}};
}

using CalibrationMetrics = PerCalibrationMetric<double>;

/// `y` is 0 or 1, `log_odds` the predicted ones (infinite ones are probabilities 0 and 1); an empty weight
/// counts every row once. Throws InputError for lengths that differ, log odds that are not a number, weights
/// that are negative or not finite, and where no row has a positive weight.
CalibrationMetrics calibration_metrics(std::span<const double> log_odds, std::span<const std::uint8_t> y,
                                       std::span<const double> weight = {});

struct BootstrapOptions {
  int replicates = 200;  ///< at least 2
  double level = 0.9;    ///< in (0, 1)
  std::uint64_t seed =
      0;            ///< the draws of row i are a function of seed and i: calls on the same rows are paired
  int threads = 0;  ///< 0 = all; the result does not depend on it
};

using CalibrationEstimates = PerCalibrationMetric<Estimate>;

/// The metrics with basic bootstrap intervals [2 v - q_upper, 2 v - q_lower] clipped to [0, 1] (the log loss
/// to [0, infinity)), which take out the upward bias that resampling gives to calibration errors. Rows are
/// resampled with Poisson(1) counts; a replicate costs O(rows).
CalibrationEstimates calibration_estimates(std::span<const double> log_odds, std::span<const std::uint8_t> y,
                                           std::span<const double> weight = {},
                                           const BootstrapOptions& options = {});

}  // namespace linkgistic

// The calibration metrics of log odds as JSON, by name.
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "metrics/calibration_metrics.hpp"

namespace linkgistic {

inline nlohmann::ordered_json calibration_scores(std::span<const double> log_odds,
                                                 std::span<const std::uint8_t> label,
                                                 std::span<const double> weight) {
  const CalibrationMetrics m = calibration_metrics(log_odds, label, weight);
  nlohmann::ordered_json result;
  for (const auto& [name, member] : calibration_fields<double>()) result[std::string(name)] = m.*member;
  return result;
}

/// [lower, upper] of each, 90 % intervals of so many bootstrap replicates.
inline nlohmann::ordered_json calibration_intervals(std::span<const double> log_odds,
                                                    std::span<const std::uint8_t> label,
                                                    std::span<const double> weight, int replicates) {
  const CalibrationEstimates m =
      calibration_estimates(log_odds, label, weight, {.replicates = replicates, .level = 0.9});
  nlohmann::ordered_json result;
  for (const auto& [name, member] : calibration_fields<Estimate>())
    result[std::string(name)] = {(m.*member).lower, (m.*member).upper};
  return result;
}

/// The scores `before` and `after` a calibration, and with replicates their `intervals`.
inline nlohmann::ordered_json calibration_comparison(std::span<const double> before,
                                                     std::span<const double> after,
                                                     std::span<const std::uint8_t> label,
                                                     std::span<const double> weight, int replicates) {
  nlohmann::ordered_json result{{"before", calibration_scores(before, label, weight)},
                                {"after", calibration_scores(after, label, weight)}};
  if (replicates > 0) {
    result["intervals"] = {{"level", 0.9},
                           {"before", calibration_intervals(before, label, weight, replicates)},
                           {"after", calibration_intervals(after, label, weight, replicates)}};
  }
  return result;
}

}  // namespace linkgistic

// What a fitted calibrator is made of.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <linkgistic/calibrator.hpp>

#include "calibration/constants.hpp"
#include "calibration/draws.hpp"
#include "calibration/prefit.hpp"
#include "calibration/score_counts.hpp"
#include "calibration/score_warp.hpp"
#include "engine/compression.hpp"
#include "response/base_loss.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

/// One source at its mode.
struct CalibrationComponent {
  double weight = 0;
  SourceModel source;
  Vector mode;  // (D)
};

/// What the score itself claims, blurred: the probability (1 - blur) sigmoid(s) + blur/2.
struct CalibrationClaim {
  double weight = 0;
  double blur = 0;
};

/// log((1 - blur) sigmoid(x) + blur/2).
double log_blurred(double x, double blur);

/// The calibrated log odds of a score s are those of the mean of psi^-1(nu_k(t)) over the components and of
/// the claims, t = pre-fit(q(s)) - origin, plus tilt q(s).
struct FittedCalibratorState {
  CalibratorOptions options;
  CalibrationPrior prior;
  CalibratorSummary summary;
  std::map<std::string, std::string> columns;
  ScoreScale scale;
  ScoreWarp warp;
  PreFit line;
  double origin = 0;                // of t in the pre-fit's log odds
  double length = 1;                // range of the pre-fit's log odds, at least 1
  double q_lower = 0, q_upper = 0;  // of the training scores
  std::vector<CalibrationComponent> components;
  std::vector<CalibrationClaim> claims;
  WeightedRows rows;  // (q, y, weight), compressed: what the draws are made from
  std::shared_ptr<LazyCalibrationDraws> draws = std::make_shared<LazyCalibrationDraws>();
  std::shared_ptr<const BaseLoss> base = BaseLoss::log();

  [[nodiscard]] double period() const { return prior.period * length; }
  [[nodiscard]] double t(double q) const { return line.at(q) - origin; }
  /// The log odds that a value of the source stands for.
  [[nodiscard]] double link(double nu) const { return base->log_odds(nu); }
};

/// Log odds of sum_k weight_k sigmoid(nu_k), to rounding wherever the nu are.
double mixed_log_odds(std::span<const double> log_weight, std::span<const double> nu);

}  // namespace linkgistic

// The warp of a calibrator: q(s), increasing, of mean 0 and variance 1 over the training rows, halfway
// between the normal scores of the ranks and the standardised asinh of s.
#pragma once

#include <vector>

#include "calibration/constants.hpp"
#include "calibration/score_counts.hpp"

namespace linkgistic {

struct ScoreWarp {
  // r: normal scores of the mid-ranks. A monotone cubic through the knots, which are the distinct scores or,
  // above 40, points equally spaced in z; beyond them straight with the slope at the end, 1 further at most.
  std::vector<double> knot, z, slope;
  // h = asinh((s - centre)/width).
  double centre = 0, width = 1;
  double h_mean = 0, h_sd = 1;
  double g_mean = 0, g_sd = 1;  // of g = (r + (h - h_mean)/h_sd)/2

  /// q = (g - g_mean)/g_sd.
  [[nodiscard]] double at(double s) const;
  /// Whether 0 lies among the training scores, and so means something: even odds.
  [[nodiscard]] bool has_zero() const { return knot.front() <= 0 && knot.back() >= 0; }
};

/// The warp and its values at the scores.
struct WarpedScores {
  ScoreWarp warp;
  std::vector<double> q;  // (M)
};
WarpedScores make_warp(const ScoreCounts& counts, const CalibrationPrior& prior);

}  // namespace linkgistic

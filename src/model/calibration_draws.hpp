// Draws of a calibrator's map from the posterior of a rougher prior than the point's: what bands are made of.
//
// The point's prior shrinks to a straight line, which wins tasks and biases what it shrinks: bands of the
// same posterior hold to that line as well and do not cover maps that bend more. So the bands' prior is
// wide: nu' = f^2, f = a_0 + harmonics with a_0 ~ N(sqrt(.5), .3), the harmonics' variances proportional to
// 1.6^-m with sum 1, and nu0 ~ N(origin, 1). The line beneath is held: a_0 and nu0 do for its slope and
// level.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "model/posterior_quality.hpp"
#include "numeric/types.hpp"

namespace linkgistic {

struct FittedCalibratorState;

/// Values of the source in the canonical orientation, straight between the nodes: 128 cells of equal width
/// over the training scores, and beyond them nodes that grow apart.
struct CalibrationDraws {
  std::vector<double> node;  // (N) warped scores q
  Matrix nu;                 // (S, N); of the exact posterior chain after chain
  PosteriorQuality quality;
  SamplingDiagnostics chains;  // of the exact posterior

  /// Where q lies: between node[cell] and node[cell + 1] with `share` of the latter; beyond the last node
  /// straight on.
  struct Place {
    std::size_t cell;
    double share;
  };
  [[nodiscard]] Place place(double q) const;
};

inline constexpr int calibration_draw_count = 1000;

/// Of the exact posterior, by four chains of the no-U-turn sampler over its modes; or of Laplace's
/// approximation, or of the variational Gaussian, as the options say.
CalibrationDraws draw_maps(const FittedCalibratorState& state);

/// Words and warnings for the chains behind bands.
PosteriorQuality chain_quality(const SamplingDiagnostics& diagnostics);

/// The draws of a state, made when they are first asked for, by any thread.
class LazyCalibrationDraws {
 public:
  LazyCalibrationDraws() = default;
  explicit LazyCalibrationDraws(CalibrationDraws draws) : draws_(std::move(draws)) {}
  const CalibrationDraws& get(const FittedCalibratorState& state);
  /// Null before.
  const CalibrationDraws* made();

 private:
  std::mutex mutex_;
  std::optional<CalibrationDraws> draws_;
};

}  // namespace linkgistic

// Draws of a calibrator's map from the posterior of its bands, as tables in the warped score.
#pragma once

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "calibration/posterior.hpp"
#include "numeric/interpolate.hpp"
#include "numeric/types.hpp"

namespace linkgistic {

/// Values of the source in the canonical orientation, straight between the nodes: 128 cells of equal width
/// over the training scores, and beyond them nodes that grow apart.
struct CalibrationDraws {
  std::vector<double> node;  // (N) warped scores q
  Matrix nu;                 // (S, N)
  CalibrationPosterior posterior;

  [[nodiscard]] KnotPlace place(double q) const { return place_among(node, q); }
};

CalibrationDraws draw_maps(const FittedCalibratorState& state, CalibrationPosterior posterior);

/// The draws of a state, made on first use, by any thread.
class LazyCalibrationDraws {
 public:
  LazyCalibrationDraws() = default;
  explicit LazyCalibrationDraws(CalibrationDraws draws) : draws_(std::move(draws)) {}
  const CalibrationDraws& get(const FittedCalibratorState& state);
  /// The draws if they have been made, else null.
  const CalibrationDraws* made();

 private:
  std::mutex mutex_;
  std::optional<CalibrationDraws> draws_;
};

}  // namespace linkgistic

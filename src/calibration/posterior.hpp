// The posterior behind a calibrator's bands. Its prior is rougher than that of the point estimate.
//
// The prior of the point estimate shrinks to a straight line. This gives the best estimates, but bands of the
// same posterior shrink to that line as well and do not cover maps that bend more. So the prior of the bands
// is wide: nu' = f^2, f = a_0 + harmonics with a_0 ~ N(sqrt(.5), .3), the harmonics' variances proportional
// to 1.6^-m with sum 1, and nu0 ~ N(origin, 1). The line of the pre-fit is fixed, because a_0 and nu0 move
// slope and level.
#pragma once

#include "inference/posterior_quality.hpp"
#include "numeric/types.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

struct FittedCalibratorState;

inline constexpr int calibration_draw_count = 1000;

/// Draws of the coordinates g of the bands' source, rounded so that they are the same from a model file.
struct CalibrationPosterior {
  Matrix g;  // (D, S); of the exact posterior chain after chain
  PosteriorQuality quality;
  SamplingDiagnostics chains;  // of the exact posterior
};

/// Draws from the exact posterior, by four chains of the no-U-turn sampler over its modes, or from Laplace's
/// approximation or the variational Gaussian, by the option `inference`.
CalibrationPosterior sample_bands(const FittedCalibratorState& state);

SourceModel bands_source(const FittedCalibratorState& state);

/// Words and warnings for the chains behind bands.
PosteriorQuality chain_quality(const SamplingDiagnostics& diagnostics);

}  // namespace linkgistic

// The prior of a calibrator's source nu(t), t = x - origin, x the log odds of the pre-fit: E nu = x for the
// offset and gp priors.
//
//   offset  nu' = f^2, f = a_0 + harmonics 1..K; a_0 ~ N(sqrt(1 - .02 - v), .02), the variances of the
//           harmonics proportional to 1.3^-m with sum v
//   isgp    nu' = f^2, f = harmonics alone, the variances with sum v
//   gp      nu = nu0 + a t + harmonics, a ~ N(1, .08), the variances with sum v
// and nu0 ~ N(origin, 1/4).
#pragma once

#include <span>

#include <linkgistic/source.hpp>

#include "calibration/constants.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

class CalibrationSource {
 public:
  CalibrationSource(PriorKind kind, int harmonics, double period, double origin,
                    const CalibrationPrior& prior);

  [[nodiscard]] SourceModel at(double v) const;
  /// The prior of the bands (calibration_draws.hpp); isgp and gp are as at their largest v but for nu0.
  [[nodiscard]] SourceModel rough() const;
  /// The values of v that are averaged over.
  [[nodiscard]] std::span<const double> sizes() const;
  /// The pre-fit, or near it, for t in [lower, upper].
  [[nodiscard]] Vector start(const SourceModel& source, double lower, double upper) const;

 private:
  void set_harmonics(GaussianPrior& prior, double rate, double v) const;

  PriorKind kind_;
  int harmonics_;
  double origin_;
  CalibrationPrior prior_;
  SourceModel model_;  // its prior is not yet that of a v
};

}  // namespace linkgistic

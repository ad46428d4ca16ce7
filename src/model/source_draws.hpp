// Posterior draws of a source, and the quantiles of nu, nu' and f that they give.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "inference/posterior.hpp"
#include "inference/starts.hpp"
#include "prior/source.hpp"

namespace linkgistic {

/// The level of a central interval's ends, e.g. 0.05 and 0.95 for 0.9; UsageError unless 0 < interval < 1.
struct IntervalLevels {
  explicit IntervalLevels(double interval);
  double lower, upper;
};

/// The quantile of a sample by linear interpolation of its order statistics; reorders the sample.
double quantile(std::vector<double>& sample, double level);

class SourceDraws {
 public:
  /// References must outlive the object. nu goes on straight outside [lower, upper].
  SourceDraws(const SourceModel& source, const Posterior& posterior, Range range, Index count, std::uint64_t seed);

  // The values of all draws at t.
  [[nodiscard]] std::vector<double> nu(double t) const;
  [[nodiscard]] std::vector<double> slope(double t) const;
  [[nodiscard]] std::vector<double> latent(double t) const;

 private:
  const SourceModel& source_;
  Range range_;
  TangentExtension features_;
  Matrix g_;      // (D, draws)
  Matrix kappa_;  // (P, draws)
};

/// The q with mean_s F((q - nu_s)/noise) = level, F the normal distribution function: a quantile of nu + noise. The
/// draws are thinned to 33 of their own quantiles.
double noisy_quantile(std::vector<double> nu, double noise, double level);

}  // namespace linkgistic

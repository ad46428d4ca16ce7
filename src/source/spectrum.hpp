// Prior variances as functions of the hyper-parameters, with derivatives in their coordinates theta.
#pragma once

#include <optional>

#include <linkgistic/source.hpp>

#include "source/source_family.hpp"

namespace linkgistic {

/// Variances lambda_m of the harmonics m = lowest..K, the mean of the constant, and E f^2.
struct Spectrum {
  int lowest = 1;
  Vector log_variance;     // (m)
  Matrix d_log_variance;   // (m, H)
  double mean = 0;         // of the coefficient of the constant
  Vector d_mean;           // (H)
  double mean_square = 0;  // E f(x)^2, the prior slope of nu
  Vector d_mean_square;    // (H)
};

/// Positions in theta. isgp and gp: (a, b, gamma, mu); offset: (a, v, s, gamma, mu).
struct HyperLayout {
  Index a, amplitude, gamma, mu;  // amplitude: b, or s for the offset prior
  std::optional<Index> v;
};
HyperLayout hyper_layout(PriorKind kind);

/// Names, bounds and weak priors for a problem scaled to x in [-1, 1] and y of unit variance.
std::vector<HyperParameter> prior_hyper_parameters(PriorKind kind);

Spectrum trig_spectrum(PriorKind kind, int harmonics, const Vector& theta);

/// nu0, the last coordinate: N(mu, 1/gamma), or clamped at mu + r E f^2 when the origin is pinned at r.
void set_intercept(const Vector& theta, const Spectrum& spectrum, std::optional<double> pinned_origin,
                   GaussianPrior& prior);

}  // namespace linkgistic

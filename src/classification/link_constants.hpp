// The numbers of the links' prior and of its fit that no theorem gives.
#pragma once

#include <cstddef>

namespace linkgistic {

/// docs/math.md, "Linkgistic EM", has the model that they are of.
struct LinkConstants {
  // The prior in the units of the margins.
  static constexpr double decay = 1.2;  // a, of the spectrum: 1.2^-16 = 0.05 is left at the last harmonic
  static constexpr double size = 1;     // E nu(m) = m: the prior is centred on logistic regression
  static constexpr double v = 0.05;     // offset: f within sqrt(v) = 0.22 of 1, before v is chosen
  static constexpr double level_precision = 0.01;  // gamma: nu0 within 10, the intercept is the margins'

  // a of the Nystrom basis in units of the half range: kernels are a tenth of the range wide. A quarter,
  // where regressions begin, rounds off a bend that harmonics with the decay above still follow.
  static constexpr double kernel = 25;
  // Origin::shifted: as far left of the margins as half of their range, as in a regression.
  static constexpr double pinned_origin = -2;

  // Cells of the compressed margins: 32 a wave of nu' = f^2, whose highest frequency is twice that of f.
  static constexpr std::size_t cells_per_harmonic = 32;

  // Learning by evidence: each E-step begins where the last one ended and need not be exact.
  static constexpr int evaluations = 30;
  static constexpr double tolerance = 1e-5;

  // One hyper-parameter by secants (learn_one). Slopes are of the log evidence in a coordinate whose prior
  // has a curvature near 1.
  static constexpr int secants = 12;
  static constexpr double flat = 0.02;             // slope: the evidence is within 2e-4 of its greatest
  static constexpr double least_curvature = 0.05;  // below it a secant is not believed
  static constexpr double longest_step = 1.5;      // a factor of 4.5

  // Bands of probabilities are wider than the Gaussian by the factor sqrt(1 + this sd), sd the standard
  // deviation of the log odds: what it leaves out, the skewness of the posterior and the bias of the ridge,
  // grows with it. Found on seed 1 of benchmarks/validate_classifier.cpp; other seeds judge it.
  static constexpr double band_excess = 0.5;

  static constexpr int kept_draws = 500;  // of the exact posterior: what the model file holds
};

}  // namespace linkgistic

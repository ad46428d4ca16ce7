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

/// Positions in theta. isgp and gp: (a, b, gamma, mu); offset: (a, v, s, gamma, mu). Where f^2 is integrated
/// twice the scale of the slope follows.
struct HyperLayout {
  Index a, amplitude, gamma, mu;  // amplitude: b, or s for the offset prior
  std::optional<Index> v;
};
HyperLayout hyper_layout(PriorKind kind);

/// Centres (natural values) and standard deviations (of the coordinates) of the weak priors of a source's
/// hyper-parameters, for x in [-1, 1] and y of unit variance: slopes and levels are near 1, and a standard
/// deviation of 1 to 2 in a logarithm leaves each of them free by a factor of e to e^2 or more.
struct HyperPriors {
  double decay = 1.5, decay_sd = 1;          // a: a harmonic has two thirds of the variance of the one before
  double amplitude = 0.5, amplitude_sd = 2;  // b: sum_m a^-m = 2 for a = 1.5, so k(0,0) = 1
  double share = 0.3, share_sd = 1.5;        // v: the search begins near a line; the prior is even about 1/2
  double slope = 1, slope_sd = 2;            // s: that of a line with a third of the variance of y
  double level_precision = 1, level_precision_sd = 1;  // gamma: the level lies within the spread of y ...
  double level_sd = 1;                                 // mu: ... about its mean
  double least = 1e-8, most = 1e8;  // bounds of all sizes: their squares and quotients stay within doubles
};

/// Names, units, bounds and weak priors. With a pinned origin the level is not a random variable and gamma
/// not used. Twice integrated, f^2 is a curvature, and the slope has a scale of its own.
std::vector<HyperParameter> prior_hyper_parameters(PriorKind kind, bool pinned_origin, bool twice = false);

/// `shape` is not automatic.
Spectrum trig_spectrum(PriorKind kind, SpectrumKind shape, int harmonics, const Vector& theta);

/// nu0, the coordinate `level`: N(mu, 1/gamma), or clamped at mu + r E f^2 when the origin is pinned at r.
void set_intercept(const HyperLayout& at, const Vector& theta, const Spectrum& spectrum,
                   std::optional<double> pinned_origin, Index level, GaussianPrior& prior);

}  // namespace linkgistic

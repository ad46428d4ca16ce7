// The kinds of prior on the source nu.
#pragma once

namespace linkgistic {

/// Which function is a Gaussian process a priori.
enum class PriorKind {
  isgp,  // f, zero mean, with nu = nu0 + int f^2: the integrated squared Gaussian process of Walder and Nock
  offset,  // f, with a constant mean: shrinks to a straight line
  gp,      // nu itself: not monotone
};

/// The functions that f (or nu) is made of.
enum class BasisKind {
  trig,     // cos(m theta), sin(m theta), theta = pi c x; fast
  nystrom,  // Gaussian kernels at equally spaced points
};

/// How the prior variance of the harmonics falls with their number m. All are functions of one
/// hyper-parameter a > 1, with l = log a the length scale: variances beside that of the constant.
enum class SpectrumKind {
  analytic,             // a^-m: paths without a kink anywhere
  matern12,             // (1 + (m l)^2 / 2)^-1: f has corners, nu bends abruptly
  matern32,             // (1 + (m l)^2 / 4)^-2
  matern52,             // (1 + (m l)^2 / 6)^-3
  squared_exponential,  // exp(-(m l)^2 / 2)
  automatic             // that of the greatest evidence
};

/// Where the integral of f^2 begins.
enum class Origin {
  intercept,  // in the middle of the data, with a random intercept nu0 ~ N(mu, 1/gamma)
  shifted,    // left of the data, with no random intercept
};

/// The sign of the slope.
enum class Direction { increasing, decreasing, automatic };

/// What a curve is known to be. Convex and concave ones integrate f^2 twice.
enum class Shape {
  automatic,  // monotone; the data decide the direction
  increasing,
  decreasing,
  convex,
  concave,
  increasing_convex,
  increasing_concave,
  decreasing_convex,
  decreasing_concave
};

}  // namespace linkgistic

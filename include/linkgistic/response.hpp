// What is observed at x, given the curve there.
#pragma once

namespace linkgistic {

/// The law of y at x. The curve nu(x) is on the scale of the link: the mean of y itself (gaussian, student),
/// log odds (bernoulli, binomial) or the logarithm of the mean (poisson, negative_binomial, gamma).
enum class ResponseKind {
  gaussian,           // y = nu + noise
  student,            // y = nu + noise with heavy tails, for outliers; its degrees of freedom are learned
  bernoulli,          // y is 0 or 1
  binomial,           // y successes in a row's number of trials
  poisson,            // y is a count with mean exposure e^nu
  negative_binomial,  // a count with the variance mean + dispersion mean^2; the dispersion is learned
  gamma,              // y > 0 with mean exposure e^nu and variance mean^2/shape; the shape is learned
};

/// How the noise of a gaussian response goes with x.
enum class NoiseKind {
  constant,  // one standard deviation everywhere
  smooth,    // the logarithm of its variance is a Gaussian process of x, learned beside the curve
};

/// A probability that is given, or learned.
struct Rate {
  double value = 0;
  bool learned = false;
  friend bool operator==(const Rate&, const Rate&) = default;
};

/// What predictions are on.
enum class PredictionScale {
  mean,  // that of y: of the mean for a row's exposure; of binomial rows the share of successes
  link,  // that of the curve
};

}  // namespace linkgistic

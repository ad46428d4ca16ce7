// Functions of probability distributions that the standard library lacks, from Eigen's port of Cephes.
#pragma once

namespace linkgistic {

/// (log Gamma)'(x), x > 0.
double digamma(double x);
/// P(s, x) = int_0^x t^(s-1) e^-t dt / Gamma(s).
double gamma_share(double s, double x);
/// I_x(a, b), the share of the beta integral below x.
double beta_share(double a, double b, double x);
/// log y! for whole y, from a table where y is small.
double log_factorial(double y);

/// The least whole k >= 0 with below(k) >= level, below increasing to 1: steps that double from a guess, then
/// halving.
template <class Below>
double least_count(double level, double guess, const Below& below) {
  double lower = -1, upper = guess > 0 ? guess : 0;
  if (below(upper) >= level) {
    for (double step = 1; upper - step >= 0; step *= 2) {
      if (below(upper - step) < level) {
        lower = upper - step;
        break;
      }
      upper -= step;
    }
  } else {
    lower = upper;
    // Where rounding keeps the sum below the level, the step ends the search.
    for (double step = 1; step < 1e300; step *= 2) {
      upper = lower + step;
      if (below(upper) >= level) break;
      lower = upper;
    }
  }
  while (upper - lower > 1) {
    const double middle = lower + static_cast<double>(static_cast<long long>((upper - lower) / 2));
    (below(middle) >= level ? upper : lower) = middle;
  }
  return upper;
}

}  // namespace linkgistic

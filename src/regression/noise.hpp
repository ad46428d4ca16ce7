// Gaussian noise that goes smoothly with x. Given the curve, the expected squared residual of a row is
// sigma^2(x) times chi^2 with one degree of freedom: an amount of gamma's law with shape 1/2, whose log mean
// is a source. Given the noise, rows have precisions. Curve and noise are fitted by turns.
#pragma once

#include <memory>

#include "inference/posterior.hpp"
#include "numeric/progress_monitor.hpp"
#include "regression/data.hpp"
#include "regression/fitted.hpp"

namespace linkgistic {

class RegressionFit;

/// log sigma^2(t) = log of the response's variance + nu(t) - level: a source under the prior gp with the
/// response gamma, as a fit of squared residuals has it. Over the training rows the mean of exp(nu - level)
/// is 1.
struct NoiseCurve {
  Vector theta;  // the source's hyper-parameters
  SourceModel source;
  std::shared_ptr<const GaussianPosterior> posterior;
  double level = 0;

  /// nu - level; beyond the data that of the edge.
  [[nodiscard]] Vector values(const Places& places, int threads) const;
  /// The same with its variance.
  [[nodiscard]] NormalValues at(const Places& places, int threads) const;
};

/// The options under which the noise of a regression is learned.
MonotoneRegressionOptions noise_options(const MonotoneRegressionOptions& options);

/// Continues a fit with constant noise, of kept rows, by turns, until the bound
///   log p(y | q(noise)) + log p(squares | q(curve)) - E log p(y | curve, noise)
/// of the log evidence, plus the weak priors of all hyper-parameters, does not rise; the first two are the
/// evidences that curve and noise are learned by.
std::shared_ptr<FittedRegressionState> with_smooth_noise(const RegressionFit& constant,
                                                         const RegressionRange& range,
                                                         ProgressMonitor& monitor);

/// The quantile at a level of y ~ N(mean, variance + sigma^2). The posterior of log sigma^2 is skew, as the
/// likelihood of an amount is: sigma^2 is an inverse gamma variable whose logarithm has the given mode and,
/// to second order there, the given variance. So its inverse has the mean exp(-log_noise), and without the
/// other variance y has Student's law with 2 / log_noise_variance degrees of freedom, at least 2.
double noisy_quantile(double level, double mean, double variance, double log_noise,
                      double log_noise_variance);

}  // namespace linkgistic

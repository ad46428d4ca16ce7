#include "regression/posterior.hpp"

#include <cmath>
#include <utility>

#include <linkgistic/error.hpp>

#include "inference/importance.hpp"
#include "inference/posterior_quality.hpp"
#include "inference/sample_posterior.hpp"
#include "inference/sampling.hpp"
#include "numeric/quantile.hpp"
#include "regression/prior.hpp"
#include "text/names.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t draws_a_message = 100;

// The Pareto k of a Gaussian at its own hyper-parameters, without their uncertainty, in words. A regression
// is used for its bands, so a Gaussian that misses much of the posterior gives a warning.
void check(const Problem& problem, Inference inference, const SourceModel& source,
           const GaussianPosterior& gaussian, std::uint64_t seed, RegressionPosterior& result) {
  const auto data = problem.data_for(source);
  const LogJoint joint(source, *data, problem.eta(result.theta));
  result.pareto_k = pareto_k(joint, gaussian.estimate(), gaussian.factor(), check_draws, seed);
  const PosteriorQuality quality = gaussian_quality(inference, result.pareto_k, !data->is_quadratic());
  result.quality = quality.words;
  if (quality.pareto_k >= 1) result.warnings.push_back("the posterior: " + quality.words);
}

RegressionPosterior from_samples(const MonotoneRegressionOptions& options, const Problem& problem,
                                 const LaplaceFit& laplace, ProgressMonitor& monitor) {
  SamplingOptions sampling = sampling_options(options.draws, options.seed, options.threads);
  sampling.stop = [&monitor] { return monitor.ask_stop(); };
  // If the chains do not agree, a second run has twice the draws.
  const auto most = 3 * static_cast<std::size_t>(sampling.chains * (sampling.warmup + sampling.draws));
  sampling.on_draw = [&monitor, most] { monitor.advance("sampling", most, 0, draws_a_message); };
  Sampling found = sample_until_good(problem, laplace, sampling);
  RegressionPosterior result;
  PosteriorQuality quality = sample_quality(found.diagnostics);
  result.quality = std::move(quality.words);
  result.warnings = std::move(quality.warnings);
  PosteriorDraws draws{std::move(found.g), std::move(found.theta)};
  result.theta.resize(draws.theta.rows());
  for (Index i = 0; i < draws.theta.rows(); ++i) {
    std::vector<double> values(static_cast<std::size_t>(draws.theta.cols()));
    for (std::size_t s = 0; s < values.size(); ++s) values[s] = draws.theta(i, static_cast<Index>(s));
    result.theta[i] = quantile(values, 0.5);
  }
  result.posterior = std::make_shared<SamplePosterior>(thinned(draws, kept_draws));
  return result;
}

// Gaussian with its hyper-parameters integrated out; after a stop with them held.
template <class Make>
auto with_hyper_parameters(const Make& make, const Problem& problem, RegressionPosterior& result) {
  try {
    return make(problem);
  } catch (const Interrupted&) {
    result.warnings.push_back("stopped: the bands take the hyper-parameters as known");
    return make(problem.held());
  }
}

RegressionPosterior from_variational(const MonotoneRegressionOptions& options, const Problem& problem,
                                     const LearnOptions& learning, const VariationalBayesFit& fit) {
  RegressionPosterior result;
  const auto posterior = [&](const Problem& p) { return variational_posterior(p, fit, learning); };
  result.theta = fit.theta;
  result.posterior =
      std::make_shared<VariationalPosterior>(with_hyper_parameters(posterior, problem, result));
  check(problem, Inference::variational, fit.source, posterior(problem.held()), options.seed, result);
  return result;
}

RegressionPosterior from_laplace(const MonotoneRegressionOptions& options, const Problem& problem,
                                 const LearnOptions& learning, const LaplaceFit& laplace) {
  RegressionPosterior result;
  const auto posterior = [&](const Problem& p) { return laplace_posterior(p, laplace, learning); };
  result.theta = laplace.theta;
  result.posterior = std::make_shared<GaussianPosterior>(with_hyper_parameters(posterior, problem, result));
  check(problem, Inference::laplace, laplace.source, posterior(problem.held()), options.seed, result);
  if (laplace.floored > 0) {
    result.quality += ", guarded in " + std::to_string(laplace.floored) +
                      (laplace.floored == 1 ? " direction" : " directions");
  }
  // Far below the prior's curvature, -log(eigenvalue)/2 dominates the evidence.
  constexpr double flat = 0.05;
  if (laplace.smallest_eigenvalue < flat && options.curvature_floor < flat) {
    result.warnings.push_back(
        "the Laplace evidence runs away: the curvature is " + number(laplace.smallest_eigenvalue, 2) +
        " of the prior's in one direction; raise the curvature floor or use another inference");
  }
  return result;
}

}  // namespace

bool leaves_range(const Vector& nu, double lower, double upper) {
  const double far = regression_prior.far_from_y * (upper - lower);
  return !nu.allFinite() || nu.minCoeff() < lower - far || nu.maxCoeff() > upper + far;
}

RegressionPosterior regression_posterior(const MonotoneRegressionOptions& options, const Problem& problem,
                                         const LearnOptions& learning, const LaplaceFit& laplace,
                                         const std::optional<VariationalBayesFit>& variational, bool dropped,
                                         ProgressMonitor& monitor) {
  if (variational) return from_variational(options, problem, learning, *variational);
  if (options.inference == Inference::mcmc) {
    try {
      return from_samples(options, problem, laplace, monitor);
    } catch (const Interrupted&) {  // the Gaussian in its place
    }
  }
  RegressionPosterior result = from_laplace(options, problem, learning, laplace);
  if (dropped) {
    result.warnings.insert(result.warnings.begin(),
                           "the variational fit left the range of y and was dropped: the posterior is the "
                           "Gaussian at the mode, as with inference laplace");
  } else if (options.inference != Inference::laplace) {
    result.warnings.insert(result.warnings.begin(), "stopped before the posterior was found by " +
                                                        name_of(inference_names(), options.inference) +
                                                        ": it is the Gaussian at the mode");
  }
  return result;
}

}  // namespace linkgistic

#include "regression/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <linkgistic/error.hpp>

#include "inference/importance.hpp"
#include "inference/posterior_quality.hpp"
#include "inference/sample_posterior.hpp"
#include "inference/sampling.hpp"
#include "numeric/quantile.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t draws_a_message = 100;

// The Pareto k of a Gaussian at its own hyper-parameters, without their uncertainty.
double check(const EmpiricalBayes& bayes, const SourceModel& source, const Vector& theta,
             const GaussianPosterior& gaussian, std::uint64_t seed) {
  const auto data = bayes.data_for(source);
  const auto n_source = static_cast<Index>(bayes.family().hyper_parameters().size());
  const LogJoint joint(source, *data, theta.tail(theta.size() - n_source));
  return pareto_k(joint, gaussian.mode(), gaussian.factor(), check_draws, seed);
}

RegressionPosterior from_samples(const MonotoneRegressionOptions& options, const EmpiricalBayes& bayes,
                                 const LaplaceFit& laplace, const std::vector<bool>& learned,
                                 ProgressMonitor& monitor) {
  SamplingOptions sampling = sampling_options(options.draws, options.seed, options.threads);
  sampling.stop = [&monitor] { return monitor.ask_stop(); };
  // Once, and twice as many where the chains do not agree.
  const auto most = 3 * static_cast<std::size_t>(sampling.chains * (sampling.warmup + sampling.draws));
  sampling.on_draw = [&monitor, most] { monitor.advance("sampling", most, 0, draws_a_message); };
  Sampling found = sample_until_good(bayes, laplace, learned, sampling);
  RegressionPosterior result;
  PosteriorQuality quality = sample_quality(found.diagnostics);
  result.quality = std::move(quality.words);
  result.warnings = std::move(quality.warnings);
  PosteriorDraws draws{std::move(found.g), std::move(found.theta), {}};
  const Index last = draws.theta.rows() - 1;  // log precision of the noise
  draws.noise = (-draws.theta.row(last).transpose() / 2).array().exp();
  result.theta.resize(draws.theta.rows());
  for (Index i = 0; i <= last; ++i) {
    std::vector<double> values(static_cast<std::size_t>(draws.theta.cols()));
    for (std::size_t s = 0; s < values.size(); ++s) values[s] = draws.theta(i, static_cast<Index>(s));
    result.theta[i] = quantile(values, 0.5);
  }
  result.posterior = std::make_shared<SamplePosterior>(thinned(draws, kept_draws));
  return result;
}

// Of a regression the bands are what is wanted: a Gaussian that misses much of the posterior warns.
void set_quality(const PosteriorQuality& quality, RegressionPosterior& result) {
  result.quality = quality.words;
  if (quality.pareto_k >= 1) result.warnings.push_back("the posterior: " + quality.words);
}

// Gaussian with its hyper-parameters integrated out; after a stop with them held.
template <class Make>
auto with_hyper_parameters(const Make& make, const std::vector<bool>& learned, RegressionPosterior& result) {
  try {
    return make(learned);
  } catch (const Interrupted&) {
    result.warnings.push_back("stopped: the bands take the hyper-parameters as known");
    return make(std::vector<bool>(learned.size(), false));
  }
}

RegressionPosterior from_variational(const MonotoneRegressionOptions& options, const EmpiricalBayes& bayes,
                                     const VariationalBayesFit& fit, const std::vector<bool>& learned) {
  RegressionPosterior result;
  const VariationalBayes variational_bayes(bayes);
  const auto posterior = [&](const std::vector<bool>& free) {
    return variational_bayes.posterior(fit, free);
  };
  result.theta = fit.theta;
  result.posterior =
      std::make_shared<VariationalPosterior>(with_hyper_parameters(posterior, learned, result));
  const std::vector<bool> none(learned.size(), false);
  result.pareto_k = check(bayes, fit.source, result.theta, posterior(none), options.seed);
  set_quality(gaussian_quality(Inference::variational, result.pareto_k, false), result);
  return result;
}

RegressionPosterior from_laplace(const MonotoneRegressionOptions& options, const EmpiricalBayes& bayes,
                                 const LaplaceFit& laplace, const std::vector<bool>& learned) {
  RegressionPosterior result;
  const auto posterior = [&](const std::vector<bool>& free) { return bayes.posterior(laplace, free); };
  result.theta = laplace.theta;
  result.posterior = std::make_shared<GaussianPosterior>(with_hyper_parameters(posterior, learned, result));
  const std::vector<bool> none(learned.size(), false);
  result.pareto_k = check(bayes, laplace.source, result.theta, posterior(none), options.seed);
  set_quality(gaussian_quality(Inference::laplace, result.pareto_k, false), result);
  if (laplace.floored > 0) {
    result.quality += ", guarded in " + std::to_string(laplace.floored) +
                      (laplace.floored == 1 ? " direction" : " directions");
  }
  // Far below the prior's curvature -log(eigenvalue)/2 is what the evidence is made of.
  constexpr double flat = 0.05;
  if (laplace.smallest_eigenvalue < flat && options.curvature_floor < flat) {
    char curvature[32];
    std::snprintf(curvature, sizeof curvature, "%.2g", laplace.smallest_eigenvalue);
    result.warnings.push_back(
        std::string("the Laplace evidence runs away: the curvature is ") + curvature +
        " of the prior's in one direction; raise the curvature floor or use another inference");
  }
  return result;
}

}  // namespace

RegressionPosterior regression_posterior(const MonotoneRegressionOptions& options,
                                         const EmpiricalBayes& bayes, const LaplaceFit& laplace,
                                         const std::optional<VariationalBayesFit>& variational,
                                         const std::vector<bool>& learned, ProgressMonitor& monitor) {
  if (variational) return from_variational(options, bayes, *variational, learned);
  if (options.inference == Inference::mcmc) {
    try {
      return from_samples(options, bayes, laplace, learned, monitor);
    } catch (const Interrupted&) {  // the Gaussian in its place
    }
  }
  RegressionPosterior result = from_laplace(options, bayes, laplace, learned);
  if (options.inference != Inference::laplace) {
    result.warnings.insert(result.warnings.begin(), "stopped before the posterior was found by " +
                                                        name_of(inference_names(), options.inference) +
                                                        ": it is the Gaussian at the mode");
  }
  return result;
}

}  // namespace linkgistic

#include "calibration/posterior.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "calibration/data.hpp"
#include "calibration/fitted.hpp"
#include "calibration/source.hpp"
#include "inference/importance.hpp"
#include "inference/learn.hpp"
#include "inference/sample_posterior.hpp"
#include "inference/sampling.hpp"
#include "inference/variational.hpp"
#include "numeric/decompositions.hpp"
#include "response/base_loss.hpp"
#include "response/pointwise_data.hpp"

namespace linkgistic {
namespace {

constexpr int kept = calibration_draw_count;
using Numerics = CalibrationNumerics;

// Laplace's Gaussian at the mode, no wider than the prior, or the one with the greatest bound.
GaussianPosterior gaussian_at(const LogJoint& joint, const Mode& mode, Inference inference) {
  const Vector& sd = joint.prior_sd();
  if (inference != Inference::variational) {
    const SymmetricEigen eigen(mode.whitened_hessian);
    const Vector precision = eigen.eigenvalues().cwiseMax(1.0);
    return {mode.g, sd.asDiagonal() * eigen.eigenvectors() * precision.array().rsqrt().matrix().asDiagonal()};
  }
  const Vector unit = sd.cwiseInverse();
  const Matrix precision = unit.asDiagonal() *
                           (mode.whitened_hessian - Matrix::Identity(sd.size(), sd.size())) *
                           unit.asDiagonal();
  VariationalOptions options;
  options.from_mode = true;
  const WhiteGaussian q = to_white(joint, maximise_bound(joint, site_at(joint, mode.g, precision), options));
  return {joint.to_full(q.mean), sd.asDiagonal() * Cholesky(q.covariance).lower()};
}

// Draws of a Gaussian, with how well it approximates the posterior.
CalibrationPosterior gaussian_draws(const FittedCalibratorState& state) {
  const SourceModel source = bands_source(state);
  const WeightedRows& rows = state.rows;
  std::vector<double> t(rows.size());
  for (std::size_t n = 0; n < t.size(); ++n) t[n] = state.t(rows.x[n]);
  const PointwiseData data(source.features, state.base->response(), t, rows.y, rows.weight, 1);
  const LogJoint joint(source, data, Vector());
  const auto& [inference, seed] = std::pair(state.options.inference, state.options.seed);
  const GaussianPosterior q = gaussian_at(joint, find_mode(joint, state.components.back().mode), inference);
  CalibrationPosterior result;
  result.g = q.draw(kept, seed);
  result.quality = gaussian_quality(inference, pareto_k(joint, q.estimate(), q.factor(), kept, seed), true);
  return result;
}

// The places of the rows with the weights of both labels, few enough for many evaluations.
LabelCounts merged(const FittedCalibratorState& state) {
  std::map<double, std::array<double, 2>> at;
  const WeightedRows& rows = state.rows;
  for (std::size_t n = 0; n < rows.size(); ++n) at[rows.x[n]][rows.y[n] > 0.5 ? 1 : 0] += rows.weight[n];
  LabelCounts all;
  const auto put = [](LabelCounts& counts, double x, double negative, double positive) {
    counts.x.push_back(x);
    counts.negative.push_back(negative);
    counts.positive.push_back(positive);
  };
  for (const auto& [q, w] : at) put(all, q, w[0], w[1]);
  if (all.x.size() > 2 * Numerics::chain_cells) {
    const WeightedRows few = compress_counts(all.x, all.negative, all.positive, Numerics::chain_cells);
    all = {};
    for (std::size_t n = 0; n < few.size(); ++n) {
      const bool positive = few.y[n] > 0.5;
      put(all, few.x[n], positive ? 0 : few.weight[n], positive ? few.weight[n] : 0);
    }
  }
  for (double& x : all.x) x = state.t(x);
  return all;
}

// Draws of four chains.
CalibrationPosterior chain_draws(const FittedCalibratorState& state) {
  const SourceModel source = bands_source(state);
  const auto data = std::make_shared<CalibrationData>(source.features, state.base->response(),
                                                      state.base->table(), merged(state));
  const double lower = state.t(state.q_lower), upper = state.t(state.q_upper);
  const Problem problem(source, data, {lower, std::max(upper, lower + Numerics::least_range)});
  LaplaceFit fit;
  fit.source = source;
  fit.mode = find_mode(LogJoint(source, *data, Vector()), state.components.back().mode);
  SamplingOptions options;
  options.chains = Numerics::chains;
  options.warmup = Numerics::warmup;
  options.draws = Numerics::thinning * kept / Numerics::chains;
  const bool walls = make_loss(state.options.loss)->tail() > 0;
  options.target_acceptance = walls ? Numerics::acceptance_at_walls : Numerics::acceptance;
  options.start_draws = Numerics::start_draws;
  options.seed = state.options.seed;
  options.threads = state.options.threads;
  const Sampling sampled = sample_until_good(problem, fit, options);
  CalibrationPosterior result;
  result.chains = sampled.diagnostics;
  result.quality = chain_quality(sampled.diagnostics);
  result.g = thinned({sampled.g, {}}, kept).g;
  return result;
}

}  // namespace

SourceModel bands_source(const FittedCalibratorState& state) {
  return CalibrationSource(state.options.prior, state.options.harmonics, state.period(), state.origin,
                           state.prior)
      .rough();
}

PosteriorQuality chain_quality(const SamplingDiagnostics& diagnostics) {
  PosteriorQuality quality = sample_quality(diagnostics);
  if (quality.warnings.empty()) return quality;
  // A calibrator's chains have a fixed length.
  std::string words = diagnostics.words();
  constexpr std::string_view advice = ": sample longer";
  if (const auto at = words.find(advice); at != std::string::npos) words.erase(at, advice.size());
  const std::string what_to_do =
      "fit with another seed to see by how much they move, or with fewer harmonics";
  quality.words = "samples of the exact posterior: " + words + "; " + what_to_do;
  quality.warnings = {"the bands may be off, " + words + ": " + what_to_do};
  return quality;
}

CalibrationPosterior sample_bands(const FittedCalibratorState& state) {
  CalibrationPosterior result =
      state.options.inference == Inference::mcmc ? chain_draws(state) : gaussian_draws(state);
  for (double& value : result.g.reshaped())
    value = std::round(value * Numerics::decimals) / Numerics::decimals;
  return result;
}

}  // namespace linkgistic

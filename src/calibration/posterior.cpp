#include "calibration/posterior.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
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
#include "inference/empirical_bayes.hpp"
#include "inference/laplace.hpp"
#include "inference/sample_posterior.hpp"
#include "inference/sampling.hpp"
#include "inference/variational.hpp"
#include "numeric/pareto.hpp"
#include "response/base_loss.hpp"
#include "response/pointwise_data.hpp"

namespace linkgistic {
namespace {

constexpr int kept = calibration_draw_count;
using Numerics = CalibrationNumerics;

// The posterior in coordinates z around a Gaussian approximation, Laplace's or the variational one:
// u = u* + root z the whitened ones of g.
class PosteriorFrame {
 public:
  explicit PosteriorFrame(const FittedCalibratorState& state)
      : state_(state), base_(state.options.loss), source_(bands_source(state)) {
    const WeightedRows& rows = state.rows;
    std::vector<double> t(rows.size());
    for (std::size_t n = 0; n < t.size(); ++n) t[n] = state.t(rows.x[n]);
    const PointwiseData data(source_.features, base_.likelihood(), t, rows.y, rows.weight, 1);
    const LogJoint joint(source_, data, Vector());
    const Mode mode = find_mode(joint, state.components.back().mode);
    sd_ = joint.prior_sd();
    if (state.options.inference == Inference::variational) {
      place_at_bound(joint, mode);
    } else {
      place_at_mode(joint, mode);
    }
    phi_.resize(static_cast<Index>(t.size()), source_.features->size());
    for (std::size_t n = 0; n < t.size(); ++n) {
      phi_.row(static_cast<Index>(n)) = source_.features->at(t[n]).transpose();
    }
  }

  [[nodiscard]] Index dimension() const { return centre_.size(); }

  [[nodiscard]] Vector g(const Vector& z) const { return full(centre_ + root_ * z); }

  // log p(D, g) - log N(z; 0, I), up to a constant.
  [[nodiscard]] double operator()(const Vector& z) const {
    const Vector u = centre_ + root_ * z;
    const Vector nu = phi_ * source_.map->value(full(u));
    double sum = (z.squaredNorm() - u.squaredNorm()) / 2;
    const WeightedRows& rows = state_.rows;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      sum -= rows.weight[n] * base_.table().at(rows.y[n] > 0.5 ? 1 : 0, nu[static_cast<Index>(n)]).value;
    }
    return sum;
  }

 private:
  void place_at_mode(const LogJoint& joint, const Mode& mode) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(mode.whitened_hessian);
    const Vector precision = eigen.eigenvalues().cwiseMax(1.0);  // no wider than the prior
    root_ = eigen.eigenvectors() * precision.array().rsqrt().matrix().asDiagonal();
    centre_ = joint.to_white(mode.g);
  }

  void place_at_bound(const LogJoint& joint, const Mode& mode) {
    const Index d = sd_.size();
    const Vector unit = sd_.cwiseInverse();
    const Matrix precision =
        unit.asDiagonal() * (mode.whitened_hessian - Matrix::Identity(d, d)) * unit.asDiagonal();
    VariationalOptions options;
    options.from_mode = true;
    const WhiteGaussian q =
        to_white(joint, maximise_bound(joint, site_at(joint, mode.g, precision), options));
    centre_ = q.mean;
    root_ = q.covariance.llt().matrixL();
  }

  [[nodiscard]] Vector full(const Vector& u) const { return source_.prior.mean + sd_.cwiseProduct(u); }

  const FittedCalibratorState& state_;
  BaseLoss base_;
  SourceModel source_;
  Matrix root_;
  Vector centre_, sd_;
  Matrix phi_;  // (rows, P)
};

// Draws of the frame's Gaussian, with how well it stands for the posterior.
CalibrationPosterior gaussian_draws(const PosteriorFrame& frame, const CalibratorOptions& options) {
  CalibrationPosterior result;
  result.g.resize(frame.dimension(), kept);
  std::vector<double> log_ratio(kept);
  for (int s = 0; s < kept; ++s) {
    RandomStream random(options.seed, static_cast<std::uint64_t>(s));
    Vector z(frame.dimension());
    for (double& x : z) x = random.normal();
    result.g.col(s) = frame.g(z);
    log_ratio[static_cast<std::size_t>(s)] = frame(z);
  }
  result.quality = gaussian_quality(options.inference, pareto_shape(std::move(log_ratio)), true);
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

// One source, nothing of it learned.
class HeldSource final : public SourceFamily {
 public:
  explicit HeldSource(SourceModel source) : source_(std::move(source)) {}
  [[nodiscard]] const std::vector<HyperParameter>& hyper_parameters() const override { return none_; }
  [[nodiscard]] SourceModel at(const Vector& /*theta*/) const override { return source_; }
  [[nodiscard]] bool basis_moves() const override { return false; }

 private:
  SourceModel source_;
  std::vector<HyperParameter> none_;
};

// Draws of four chains.
CalibrationPosterior chain_draws(const FittedCalibratorState& state) {
  const HeldSource family(bands_source(state));
  const SourceModel source = family.at(Vector());
  const BaseLoss base(state.options.loss);
  const auto data =
      std::make_shared<CalibrationData>(source.features, base.likelihood(), base.table(), merged(state));
  const double lower = state.t(state.q_lower), upper = state.t(state.q_upper);
  const EmpiricalBayes bayes(family, [&](const std::shared_ptr<const Features>&) { return data; },
                             {lower, std::max(upper, lower + Numerics::least_range)}, {});
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
  const Sampling sampled = sample_until_good(bayes, fit, {}, options);
  CalibrationPosterior result;
  result.chains = sampled.diagnostics;
  result.quality = chain_quality(sampled.diagnostics);
  result.g = thinned({sampled.g, {}, {}}, kept).g;
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
  CalibrationPosterior result = state.options.inference == Inference::mcmc
                                    ? chain_draws(state)
                                    : gaussian_draws(PosteriorFrame(state), state.options);
  for (double& value : result.g.reshaped())
    value = std::round(value * Numerics::decimals) / Numerics::decimals;
  return result;
}

}  // namespace linkgistic

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/error.hpp>

#include "inference/laplace.hpp"
#include "likelihood/bernoulli.hpp"
#include "likelihood/compression.hpp"
#include "likelihood/pointwise_data.hpp"
#include "model/calibration_source.hpp"
#include "model/fitted_calibrator.hpp"
#include "numeric/logistic.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t cells = 192;
constexpr double evidence_floor = 1e-3;  // of the whitened Hessian's eigenvalues
constexpr double covariance_floor = 1;   // no wider than the prior

// Mean of x over the rows, each by the curvature p (1-p) of its loss.
double curvature_mean(const WeightedRows& rows, std::span<const double> x) {
  double total = 0, sum = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double w = rows.weight[n] * sigmoid(x[n]) * sigmoid(-x[n]);
    total += w;
    sum += w * x[n];
  }
  return total > 0 ? sum / total : 0;
}

// The Laplace fits of all sizes v on one pre-fit.
class ComponentFits {
 public:
  ComponentFits(FittedCalibratorState& state, const WeightedRows& rows,
                std::shared_ptr<const Likelihood> likelihood)
      : state_(state),
        rows_(rows),
        likelihood_(std::move(likelihood)),
        family_(state.options.prior, state.options.harmonics, state.period(), state.origin),
        t_(coordinates(state.line)) {}

  void run() {
    std::vector<double> log_evidence;
    for (const double v : family_.sizes()) log_evidence.push_back(add(v));
    const double best = *std::max_element(log_evidence.begin(), log_evidence.end());
    double sum = 0;
    for (const double e : log_evidence) sum += std::exp(e - best);
    for (std::size_t k = 0; k < log_evidence.size(); ++k) {
      const double weight = std::exp(log_evidence[k] - best) / sum;
      state_.components[k].weight = weight;
      state_.summary.components[k].weight = weight;
    }
    state_.summary.log_evidence = best + std::log(sum / static_cast<double>(log_evidence.size()));
  }

 private:
  [[nodiscard]] std::vector<double> coordinates(const PreFit& line) const {
    std::vector<double> t(rows_.size());
    for (std::size_t n = 0; n < t.size(); ++n) t[n] = line.at(rows_.x[n]) - state_.origin;
    return t;
  }

  // (D): derivative of the log likelihood in g, the rows at t.
  [[nodiscard]] Vector gradient(const SourceModel& source, const Vector& g, std::span<const double> t) const {
    const Vector nu = source.features->values(t, source.map->value(g), 1);
    const Vector none;
    std::vector<double> r(t.size());
    for (std::size_t n = 0; n < r.size(); ++n) {
      r[n] = rows_.weight[n] * likelihood_->at(rows_.y[n], nu[static_cast<Index>(n)], none).first;
    }
    return source.map->jacobian(g).transpose() * source.features->linear_sum(t, r, 1);
  }

  // dg/d(theta, b) times the pre-fit's root, by central differences: dg = H^-1 d(gradient).
  [[nodiscard]] Matrix drift(const SourceModel& source, const Vector& g, const Matrix& covariance) const {
    constexpr double step = 1e-3;
    Matrix change(g.size(), 2);
    for (const Index k : {0, 1}) {
      Vector side[2];
      for (const int s : {0, 1}) {
        PreFit line = state_.line;
        const double d = s == 0 ? -step : step;
        line.theta += d * state_.line.root(0, k);
        line.intercept += d * state_.line.root(1, k);
        side[s] = gradient(source, g, coordinates(line));
      }
      change.col(k) = (side[1] - side[0]) / (2 * step);
    }
    return covariance * change;
  }

  double add(double v) {
    CalibrationComponent component;
    component.source = family_.at(v);
    const SourceModel& source = component.source;
    const PointwiseData data(source.features, likelihood_, t_, rows_.y, rows_.weight, 1);
    const LogJoint joint(source, data, Vector());
    const Vector start = state_.components.empty()
                             ? family_.start(source, *std::min_element(t_.begin(), t_.end()),
                                             *std::max_element(t_.begin(), t_.end()))
                             : state_.components.back().mode;
    const Mode mode = find_mode(joint, start);
    const double evidence = laplace_evidence(joint, mode, evidence_floor);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(mode.whitened_hessian);
    const Matrix root = joint.prior_sd().asDiagonal() * eigen.eigenvectors() *
                        eigen.eigenvalues().cwiseMax(covariance_floor).array().rsqrt().matrix().asDiagonal();
    const Matrix covariance = root * root.transpose();
    component.mode = mode.g;
    component.factor = covariance.llt().matrixL();
    component.drift = drift(source, mode.g, covariance);
    state_.components.push_back(std::move(component));
    state_.summary.components.push_back(
        {v, evidence, 0, eigen.eigenvalues().minCoeff(), mode.stop == NewtonStop::converged});
    return evidence;
  }

  FittedCalibratorState& state_;
  const WeightedRows& rows_;
  std::shared_ptr<const Likelihood> likelihood_;
  CalibrationSource family_;
  std::vector<double> t_;
};

void add_warnings(const ScoreCounts& counts, CalibratorSummary& summary) {
  if (summary.positive_weight == 0 || summary.positive_weight == summary.total_weight) {
    summary.warnings.push_back("every label is the same: the map rests on its prior alone");
  }
  if (counts.size() == 1) summary.warnings.push_back("every score is the same");
  for (const CalibratorComponent& c : summary.components) {
    if (!c.converged && c.weight > 0.01) {
      summary.warnings.push_back("the search for the most probable map has not converged");
      break;
    }
  }
}

}  // namespace

void check_options(const CalibratorOptions& o) {
  if (o.harmonics < 1 || o.harmonics > 64) {
    throw UsageError("harmonics = " + std::to_string(o.harmonics) + ": it must be from 1 to 64");
  }
  if (o.threads < 0) {
    throw UsageError("threads = " + std::to_string(o.threads) + ": it must be 0 (all) or positive");
  }
}

MonotoneCalibrator::MonotoneCalibrator(CalibratorOptions options) : options_(options) {
  check_options(options_);
}

FittedMonotoneCalibrator MonotoneCalibrator::fit(std::span<const double> scores,
                                                 std::span<const std::uint8_t> labels,
                                                 std::span<const double> weights) const {
  const auto begin = std::chrono::steady_clock::now();
  const ScoreCounts counts = count_scores(scores, labels, weights, options_.score_kind, options_.threads);
  WarpedScores warped = make_warp(counts);
  const WeightedRows rows = compress_counts(warped.q, counts.negative, counts.positive, cells);

  auto state = std::make_shared<FittedCalibratorState>();
  state->options = options_;
  state->scale = counts.scale;
  state->q_lower = warped.q.front();
  state->q_upper = warped.q.back();
  const Zero zero{warped.warp.has_zero(), warped.warp.at(0)};
  state->warp = std::move(warped.warp);
  const auto likelihood = std::make_shared<BernoulliLikelihood>();
  state->line = fit_line(rows, *likelihood, zero);
  std::vector<double> x(rows.size());
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = state->line.at(rows.x[n]);
  state->origin = curvature_mean(rows, x);
  state->length = std::max(state->line.slope() * (state->q_upper - state->q_lower), 1.0);

  CalibratorSummary& summary = state->summary;
  summary.rows = counts.rows;
  summary.total_weight = counts.total;
  summary.distinct = counts.size();
  for (const double w : counts.scale.mirrored ? counts.negative : counts.positive) {
    summary.positive_weight += w;
  }
  summary.score_kind = counts.scale.kind;
  const bool probability = counts.scale.kind == ScoreKind::probability;
  summary.score_lower = probability ? sigmoid(counts.scale.lower) : counts.scale.lower;
  summary.score_upper = probability ? sigmoid(counts.scale.upper) : counts.scale.upper;
  summary.slope = state->line.slope();
  summary.intercept = counts.scale.mirrored ? -state->line.intercept : state->line.intercept;
  ComponentFits(*state, rows, likelihood).run();
  add_warnings(counts, summary);
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return FittedMonotoneCalibrator(state);
}

}  // namespace linkgistic

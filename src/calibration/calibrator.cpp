#include <algorithm>
#include <cmath>
#include <utility>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/error.hpp>

#include "calibration/fit.hpp"
#include "calibration/fitted.hpp"
#include "engine/compression.hpp"
#include "numeric/interpolate.hpp"
#include "numeric/logistic.hpp"
#include "numeric/stopwatch.hpp"
#include "response/proper_loss_response.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

using Numerics = CalibrationNumerics;

void check_lengths(std::size_t scores, std::size_t labels, std::size_t weights) {
  const auto same = [&](const char* what, std::size_t n) {
    if (n != scores) {
      throw InputError(std::to_string(n) + " " + what + " for " + std::to_string(scores) + " scores");
    }
  };
  if (scores == 0) throw InputError("there are no rows");
  same("labels", labels);
  if (weights > 0) same("weights", weights);
}

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

// Compressed rows, and what their scores claim: straight between the distinct scores.
CompressedScores compressed(const ScoreCounts& counts, std::span<const double> q) {
  CompressedScores result{compress_counts(q, counts.negative, counts.positive, Numerics::cells), {}};
  for (const double x : result.rows.x) {
    double value = counts.value.front();
    if (q.size() > 1) {
      const KnotPlace place = place_among(q, x).held();
      value = place.between(counts.value[place.cell], counts.value[place.cell + 1]);
    }
    result.claim.push_back(counts.scale.claim(value));
  }
  return result;
}

// Words on scores that are lower where the label is positive, by Mann and Whitney's z; else nothing. The
// mirror image of the rows has the same area under the curve.
std::string reversed_scores(const ScoreCounts& counts) {
  double pairs = 0, negative = 0, positive = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    pairs += counts.positive[i] * (negative + counts.negative[i] / 2);
    negative += counts.negative[i];
    positive += counts.positive[i];
  }
  if (!(negative > 0 && positive > 0)) return {};
  const double area = pairs / negative / positive;
  const double error = std::sqrt((negative + positive + 1) / (12 * negative * positive));
  if (area > 0.5 - Numerics::reversed * error) return {};
  return "the scores are lower where the label is positive (area under the curve " +
         shortest(std::round(100 * area) / 100) +
         "), and the map may only rise: they may be the scores of the other label";
}

void add_warnings(const ScoreCounts& counts, PriorKind prior, CalibratorSummary& summary) {
  if (summary.positive_weight == 0 || summary.positive_weight == summary.total_weight) {
    summary.warnings.push_back("every label is the same: the map rests on its prior alone");
  }
  if (counts.size() == 1) summary.warnings.push_back("every score is the same");
  if (prior != PriorKind::gp) {
    std::string reversed = reversed_scores(counts);
    if (!reversed.empty()) summary.warnings.push_back(std::move(reversed));
  }
  if (summary.gp_log_evidence && *summary.gp_log_evidence > summary.log_evidence + Numerics::much_better) {
    summary.warnings.push_back("a curve that is not monotone has the greater evidence, by e^" +
                               std::to_string(std::lround(*summary.gp_log_evidence - summary.log_evidence)) +
                               ": see the gp prior");
  }
  for (const CalibratorComponent& c : summary.components) {
    if (!c.converged && c.weight > Numerics::weight_to_warn) {
      summary.warnings.push_back("the search for the most probable map has not converged");
      break;
    }
  }
}

}  // namespace

MonotoneCalibrator::MonotoneCalibrator(CalibratorOptions options) : options_(std::move(options)) {
  options_.validate();
}

FittedMonotoneCalibrator MonotoneCalibrator::fit(std::span<const double> scores,
                                                 std::span<const std::uint8_t> labels,
                                                 std::span<const double> weights) const {
  return fit_calibrator(options_, {}, scores, labels, weights);
}

FittedMonotoneCalibrator fit_calibrator(const CalibratorOptions& options, const CalibrationPrior& prior,
                                        std::span<const double> scores, std::span<const std::uint8_t> labels,
                                        std::span<const double> weights) {
  check_lengths(scores.size(), labels.size(), weights.size());
  return fit_calibrator(options, prior, *make_score_engine({scores, labels, weights}, options.threads));
}

FittedMonotoneCalibrator fit_calibrator(const CalibratorOptions& options, const CalibrationPrior& prior,
                                        ScoreEngine& engine) {
  const Stopwatch clock;
  const ScoreCounts counts = count_scores(engine, options.score_kind);
  WarpedScores warped = make_warp(counts, prior);
  CompressedScores data = compressed(counts, warped.q);
  const WeightedRows& rows = data.rows;

  auto state = std::make_shared<FittedCalibratorState>();
  state->options = options;
  state->prior = prior;
  state->scale = counts.scale;
  state->q_lower = warped.q.front();
  state->q_upper = warped.q.back();
  const Zero zero{warped.warp.has_zero(), warped.warp.at(0)};
  state->warp = std::move(warped.warp);
  state->base = std::make_shared<BaseLoss>(options.loss);
  state->line = fit_line(rows, *state->base->response(), zero, prior);
  std::vector<double> x(rows.size());
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = state->line.at(rows.x[n]);
  state->origin = curvature_mean(rows, x);
  state->length = std::max(state->line.slope() * (state->q_upper - state->q_lower), Numerics::least_length);

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
  const CalibrationFit fits(*state, data, state->base->response());
  CalibrationFit::Sources sources = fits.sources(options.prior);
  state->claims = fits.claims(sources);
  double claimed = 0;
  for (const CalibrationClaim& c : state->claims) claimed += c.weight;
  for (std::size_t k = 0; k < sources.components.size(); ++k) {
    sources.facts[k].weight = sources.components[k].weight *= 1 - claimed;
  }
  summary.claimed = claimed;
  summary.log_evidence = sources.log_evidence;
  summary.components = std::move(sources.facts);
  state->components = std::move(sources.components);
  if (options.prior != PriorKind::gp && counts.rows >= Numerics::rows_for_gp) {
    summary.gp_log_evidence = fits.sources(PriorKind::gp).log_evidence;
  }
  state->rows = std::move(data.rows);
  add_warnings(counts, options.prior, summary);
  summary.seconds = clock.seconds();
  return FittedMonotoneCalibrator(state);
}

}  // namespace linkgistic

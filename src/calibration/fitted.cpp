#include "calibration/fitted.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "calibration/band.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"
#include "numeric/quantile.hpp"
#include "numeric/uncertain.hpp"
#include "source/source_curve.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t rows_per_chunk = 4096;

// Log odds in the canonical orientation, and q if requested.
std::vector<double> canonical_log_odds(const FittedCalibratorState& s, std::span<const double> scores,
                                       std::vector<double>& q) {
  q.resize(scores.size());
  std::vector<double> result(scores.size());
  const double lower = s.t(s.q_lower), upper = s.t(s.q_upper);
  std::vector<SourceCurve> curves;
  std::vector<double> log_weight;
  for (const CalibrationComponent& c : s.components) {
    curves.emplace_back(c.source.features, c.source.map->value(c.mode), lower, upper);
    log_weight.push_back(std::log(std::max(c.weight, least_weight)));
  }
  for (const CalibrationClaim& c : s.claims) log_weight.push_back(std::log(std::max(c.weight, least_weight)));
  const std::size_t chunks = (scores.size() + rows_per_chunk - 1) / rows_per_chunk;
  parallel_for(chunks, s.options.threads, [&](std::size_t chunk) {
    const std::size_t first = chunk * rows_per_chunk;
    const std::size_t rows = std::min(rows_per_chunk, scores.size() - first);
    std::vector<double> t(rows), claim(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      check_score(scores[first + i], s.scale.kind, first + i);
      const double value = s.scale.at(scores[first + i]);
      claim[i] = s.scale.claim(value);
      q[first + i] = s.warp.at(value);
      t[i] = s.t(q[first + i]);
    }
    std::vector<Vector> nu;
    for (const SourceCurve& curve : curves) nu.push_back(curve.values(t, 1));
    std::vector<double> at(log_weight.size());
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < curves.size(); ++k) at[k] = s.link(nu[k][static_cast<Index>(i)]);
      for (std::size_t k = 0; k < s.claims.size(); ++k) {
        const double blur = s.claims[k].blur;
        at[curves.size() + k] =
            blur == 0 ? claim[i] : log_blurred(claim[i], blur) - log_blurred(-claim[i], blur);
      }
      result[first + i] = mixed_log_odds(log_weight, at) + calibration_tilt * q[first + i];
    }
  });
  return result;
}

}  // namespace

double log_blurred(double x, double blur) {
  return blur == 0 ? -softplus(-x) : std::log((1 - blur) * sigmoid(x) + blur / 2);
}

double mixed_log_odds(std::span<const double> log_weight, std::span<const double> nu) {
  // log sum_k w_k sigmoid(+-nu_k), log sigmoid(nu) = -softplus(-nu).
  const auto side = [&](double sign) {
    return log_sum(nu.size(), [&](std::size_t k) { return log_weight[k] - softplus(-sign * nu[k]); });
  };
  return side(1) - side(-1);
}

FittedMonotoneCalibrator::FittedMonotoneCalibrator(std::shared_ptr<const FittedCalibratorState> state)
    : state_(std::move(state)) {}

std::vector<double> FittedMonotoneCalibrator::log_odds(std::span<const double> scores) const {
  std::vector<double> q;
  std::vector<double> result = canonical_log_odds(*state_, scores, q);
  if (state_->scale.mirrored) {
    for (double& l : result) l = -l;
  }
  return result;
}

CalibratedScores FittedMonotoneCalibrator::predict(std::span<const double> scores, double interval) const {
  (void)central_levels(interval);  // checks it
  std::vector<double> q;
  CalibratedScores result;
  result.log_odds = canonical_log_odds(*state_, scores, q);
  const CalibrationBand band(*state_, interval);
  const std::size_t n = scores.size();
  result.probability.resize(n);
  result.lower.resize(n);
  result.upper.resize(n);
  const bool mirrored = state_->scale.mirrored;
  for (std::size_t i = 0; i < n; ++i) {
    CalibrationBand::Ends ends = band.at(q[i]);
    double& l = result.log_odds[i];
    if (mirrored) {
      l = -l;
      ends = {-ends.upper, -ends.lower};
    }
    result.probability[i] = uncertain(sigmoid(l));
    result.lower[i] = uncertain(sigmoid(std::min(ends.lower, l)));
    result.upper[i] = uncertain(sigmoid(std::max(ends.upper, l)));
  }
  return result;
}

std::vector<double> FittedMonotoneCalibrator::uncalibrated(std::span<const double> scores) const {
  std::vector<double> result(scores.begin(), scores.end());
  if (state_->scale.kind != ScoreKind::probability) return result;
  constexpr double least = std::numeric_limits<double>::min();
  for (double& s : result) {
    s = s == 1 ? -std::log(least) : std::log(std::max(s, least)) - std::log1p(-s);
  }
  return result;
}

const CalibratorSummary& FittedMonotoneCalibrator::summary() const { return state_->summary; }
const CalibratorOptions& FittedMonotoneCalibrator::options() const { return state_->options; }

std::string FittedMonotoneCalibrator::posterior() const {
  return state_->draws->get(*state_).posterior.quality.words;
}

std::vector<std::string> FittedMonotoneCalibrator::warnings() const {
  std::vector<std::string> all = state_->summary.warnings;
  if (const CalibrationDraws* draws = state_->draws->made()) {
    const std::vector<std::string>& own = draws->posterior.quality.warnings;
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

const std::map<std::string, std::string>& FittedMonotoneCalibrator::columns() const {
  return state_->columns;
}

FittedMonotoneCalibrator FittedMonotoneCalibrator::with_columns(
    std::map<std::string, std::string> columns) const {
  auto state = std::make_shared<FittedCalibratorState>(*state_);
  state->columns = std::move(columns);
  return FittedMonotoneCalibrator(state);
}

}  // namespace linkgistic

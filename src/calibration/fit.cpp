#include "calibration/fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "inference/laplace.hpp"
#include "numeric/decompositions.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/logistic.hpp"
#include "response/pointwise_data.hpp"

namespace linkgistic {

CalibrationFit::CalibrationFit(const FittedCalibratorState& state, const CompressedScores& rows,
                               std::shared_ptr<const Response> response)
    : state_(state), rows_(rows), response_(std::move(response)), t_(coordinates(state.line)) {}

std::vector<double> CalibrationFit::coordinates(const PreFit& line) const {
  std::vector<double> t(rows_.rows.size());
  for (std::size_t n = 0; n < t.size(); ++n) t[n] = line.at(rows_.rows.x[n]) - state_.origin;
  return t;
}

CalibrationFit::Sources CalibrationFit::sources(PriorKind prior) const {
  const CalibrationSource family(prior, state_.options.harmonics, state_.period(), state_.origin,
                                 state_.prior);
  const auto [lower, upper] = std::minmax_element(t_.begin(), t_.end());
  Sources result;
  std::vector<double> log_evidence, free;
  for (const double v : family.sizes()) {
    CalibrationComponent c;
    c.source = family.at(v);
    const PointwiseData data(c.source.features, response_, t_, rows_.rows.y, rows_.rows.weight, 1);
    const LogJoint joint(c.source, data, Vector());
    const bool first = result.components.empty();
    const Mode mode =
        find_mode(joint, first ? family.start(c.source, *lower, *upper) : result.components.back().mode);
    c.mode = mode.g;
    log_evidence.push_back(laplace_evidence(joint, mode, state_.prior.evidence_floor));
    const Vector e = eigenvalues(mode.whitened_hessian);
    // H = I + data: the data's share of each direction.
    free.push_back((1 - e.array().max(1.0).inverse()).sum());
    result.components.push_back(std::move(c));
    result.facts.push_back(
        {v, log_evidence.back(), 0, e.minCoeff(), mode.iterations, mode.stop == NewtonStop::converged});
  }
  const std::vector<double> weight = softmax(log_evidence);
  result.free_parameters = 2;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    result.components[k].weight = result.facts[k].weight = weight[k];
    result.free_parameters += weight[k] * free[k];
  }
  const auto best = static_cast<std::size_t>(std::max_element(log_evidence.begin(), log_evidence.end()) -
                                             log_evidence.begin());
  result.log_evidence =
      log_evidence[best] - std::log(weight[best]) - std::log(static_cast<double>(weight.size()));
  return result;
}

std::vector<CalibrationClaim> CalibrationFit::claims(const Sources& sources) const {
  // Akaike's criterion: the log likelihood at the modes, less the number of parameters it took.
  std::vector<double> log_weight, at(sources.components.size());
  std::vector<Vector> nu;
  for (const CalibrationComponent& c : sources.components) {
    log_weight.push_back(std::log(std::max(c.weight, least_weight)));
    nu.push_back(c.source.features->values(t_, c.source.map->value(c.mode), 1));
  }
  const auto& blurs = state_.prior.blurs;
  const double share = state_.prior.claim_share;
  std::vector<double> score(1 + blurs.size());
  score[0] = std::log1p(-share) - sources.free_parameters;
  for (std::size_t k = 0; k < blurs.size(); ++k) {
    score[k + 1] = std::log(share / static_cast<double>(blurs.size()));
  }
  for (std::size_t n = 0; n < t_.size(); ++n) {
    for (std::size_t k = 0; k < at.size(); ++k) at[k] = state_.link(nu[k][static_cast<Index>(n)]);
    const double w = rows_.rows.weight[n];
    const double sign = rows_.rows.y[n] > 0.5 ? 1 : -1;
    score[0] -= w * softplus(-sign * mixed_log_odds(log_weight, at));
    for (std::size_t k = 0; k < blurs.size(); ++k) {
      score[k + 1] += w * log_blurred(sign * rows_.claim[n], blurs[k]);
    }
  }
  const std::vector<double> weight = softmax(score);
  std::vector<CalibrationClaim> result;
  for (std::size_t k = 0; k < blurs.size(); ++k) result.push_back({weight[k + 1], blurs[k]});
  return result;
}

}  // namespace linkgistic

#include "engine/verbs/row_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkgistic {

RowLoss::RowLoss(const ScoreRequest& request)
    : request_(request),
      slope_(request.coupled),
      link_slope_(request.coupled),
      p_(request.coupled),
      curvature_(request.directions()) {}

std::size_t RowLoss::place_of(std::size_t set, std::int32_t label) const {
  const ScoreProblem* first = request_.problems.data() + set * request_.coupled;
  std::size_t k = 0;
  // Problems mostly stand in the order of their labels.
  if (label >= 0 && static_cast<std::size_t>(label) < request_.coupled && first[label].label == label)
    return static_cast<std::size_t>(label);
  while (k < request_.coupled && first[k].label != label) ++k;
  return k;
}

bool RowLoss::takes(std::size_t set, const ScoredRow& row) const {
  if (!(row.weight > 0) || !row.in(request_.problems[set * request_.coupled])) return false;
  return request_.coupled == 1 || place_of(set, row.label) < request_.coupled;
}

double RowLoss::value(std::size_t set, std::int32_t label, std::span<const double> scores) {
  if (request_.coupled > 1) return softmax(set, label, scores);
  const LossNode node = request_.table(set).at(one_label(set, label), scores[0]);
  slope_[0] = node.slope;
  return node.value;
}

double RowLoss::softmax(std::size_t set, std::int32_t label, std::span<const double> scores) {
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < p_.size(); ++k) {
    const LossNode link = request_.table(set * request_.coupled + k).at(0, scores[k]);
    p_[k] = link.value;
    link_slope_[k] = link.slope;
    most = std::max(most, link.value);
  }
  const std::size_t own = place_of(set, label);
  const double own_value = p_[own];
  double sum = 0;
  for (double& p : p_) {
    p = std::exp(p - most);
    sum += p;
  }
  for (std::size_t k = 0; k < p_.size(); ++k) {
    p_[k] /= sum;
    slope_[k] = (p_[k] - (k == own ? 1 : 0)) * link_slope_[k];
  }
  return std::log(sum) + most - own_value;
}

std::span<const double> RowLoss::curvatures(std::size_t set, std::int32_t label,
                                            std::span<const double> scores) {
  if (request_.coupled == 1) {
    curvature_[0] = std::max(request_.table(set).curvature(one_label(set, label), scores[0]), 0.0);
    return curvature_;
  }
  softmax(set, label, scores);
  double mean = 0;
  for (std::size_t k = 0; k < p_.size(); ++k) mean += p_[k] * link_slope_[k];
  double variance = 0;
  for (std::size_t k = 0; k < p_.size(); ++k) {
    curvature_[k] = p_[k] * (1 - p_[k]) * link_slope_[k] * link_slope_[k];
    variance += p_[k] * (link_slope_[k] - mean) * (link_slope_[k] - mean);
  }
  curvature_.back() = variance;
  return curvature_;
}

}  // namespace linkgistic

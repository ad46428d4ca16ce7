#include "metrics/classification_metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "numeric/logistic.hpp"

namespace linkgistic {
namespace {

double weight_of(std::span<const double> weight, std::size_t i) { return weight.empty() ? 1.0 : weight[i]; }

// Mann and Whitney's statistic over groups of equal scores.
double area_under_roc(std::span<const double> score, std::span<const std::uint8_t> y,
                      std::span<const double> weight) {
  // A score that is not a number has no place in the order.
  if (std::any_of(score.begin(), score.end(), [](double s) { return std::isnan(s); }))
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] < score[b]; });
  double below = 0;  // weight of the negatives with a lower score
  double positives = 0;
  double pairs = 0;
  for (std::size_t first = 0; first < order.size();) {
    double tied[2] = {0, 0};
    std::size_t i = first;
    for (; i < order.size() && score[order[i]] == score[order[first]]; ++i) {
      tied[y[order[i]] != 0 ? 1 : 0] += weight_of(weight, order[i]);
    }
    pairs += tied[1] * (below + tied[0] / 2);
    below += tied[0];
    positives += tied[1];
    first = i;
  }
  return pairs / (positives * below);
}

}  // namespace

BinaryMetrics binary_metrics(std::span<const double> log_odds, std::span<const std::uint8_t> y,
                             std::span<const double> weight) {
  constexpr std::size_t bins = 15;
  std::array<double, bins> excess{};  // sum of w (p - y)
  BinaryMetrics sum;
  double total = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weight_of(weight, i);
    const double nu = log_odds[i];
    const double p = sigmoid(nu);
    const double label = y[i] != 0 ? 1 : 0;
    total += w;
    sum.accuracy += (nu > 0) == (y[i] != 0) ? w : 0;
    sum.log_loss += w * softplus(y[i] != 0 ? -nu : nu);
    sum.brier += w * (p - label) * (p - label);
    excess[std::min(static_cast<std::size_t>(p * bins), bins - 1)] += w * (p - label);
  }
  for (const double e : excess) sum.ece += std::abs(e);
  return {sum.accuracy / total, area_under_roc(log_odds, y, weight), sum.log_loss / total, sum.brier / total,
          sum.ece / total};
}

BinaryMetrics class_metrics(std::span<const double> probability, std::size_t classes,
                            std::span<const std::int32_t> labels, std::span<const double> weight) {
  std::vector<double> confidence;  // log odds of the most probable class
  std::vector<std::uint8_t> right;
  BinaryMetrics result;
  double total = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto p = probability.subspan(i * classes, classes);
    const auto label = static_cast<std::size_t>(labels[i]);
    const auto top = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
    const double w = weight_of(weight, i);
    total += w;
    result.log_loss -= w * std::log(p[label]);
    for (std::size_t k = 0; k < classes; ++k) {
      const double excess = p[k] - (k == label ? 1 : 0);
      result.brier += w * excess * excess;
    }
    right.push_back(top == label ? 1 : 0);
    result.accuracy += w * right.back();
    confidence.push_back(std::log(p[top]) - std::log1p(-p[top]));
  }
  result.accuracy /= total;
  result.log_loss /= total;
  result.brier /= total;
  result.ece = binary_metrics(confidence, right, weight).ece;
  std::vector<BinaryMetrics> each(classes);
  std::vector<double> score(labels.size());
  std::vector<std::uint8_t> is_class(labels.size());
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      score[i] = probability[i * classes + k];
      is_class[i] = static_cast<std::size_t>(labels[i]) == k ? 1 : 0;
    }
    each[k].auc = area_under_roc(score, is_class, weight);
  }
  result.auc = mean_metrics(each).auc;
  return result;
}

BinaryMetrics mean_metrics(std::span<const BinaryMetrics> metrics) {
  BinaryMetrics sum;
  double areas = 0;
  for (const BinaryMetrics& m : metrics) {
    sum.accuracy += m.accuracy;
    sum.log_loss += m.log_loss;
    sum.brier += m.brier;
    sum.ece += m.ece;
    if (std::isnan(m.auc)) continue;
    sum.auc += m.auc;
    areas += 1;
  }
  const auto count = static_cast<double>(metrics.size());
  return {sum.accuracy / count, sum.auc / areas, sum.log_loss / count, sum.brier / count, sum.ece / count};
}

}  // namespace linkgistic

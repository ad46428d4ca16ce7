#include "classifier_trial.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "metrics/classification_metrics.hpp"

namespace linkgistic {

ClassifierTrial judge(const FittedLinkgisticClassifier& fit, const Dataset& data) {
  const std::size_t classes = fit.class_names().size(), rows = data.labels.size();
  const std::size_t scores = fit.summary().classes.size();
  std::vector<std::vector<double>> log_odds(scores, std::vector<double>(rows));
  std::vector<double> probability;
  for_blocks(data, [&](const FeatureRows& block, std::size_t first) {
    const std::vector<double> values = fit.decision_values(block);
    for (std::size_t n = 0; n < block.rows(); ++n) {
      for (std::size_t k = 0; k < scores; ++k) log_odds[k][first + n] = values[n * scores + k];
    }
    const std::vector<double> p = fit.predict(block).probability;
    probability.insert(probability.end(), p.begin(), p.end());
  });
  const auto is_class = [&](std::size_t k) {
    std::vector<std::uint8_t> truth(rows);
    for (std::size_t n = 0; n < rows; ++n) truth[n] = data.labels[n] == static_cast<std::int32_t>(k) ? 1 : 0;
    return truth;
  };
  ClassifierTrial trial;
  trial.rows = rows;
  std::vector<BinaryMetrics> each;
  if (classes == 2) {
    std::vector<double> negative = log_odds[0];
    for (double& value : negative) value = -value;
    each = {binary_metrics(negative, is_class(0), data.weights),
            binary_metrics(log_odds[0], is_class(1), data.weights)};
    trial.all = each[1];
    trial.log_odds = std::move(log_odds[0]);
    trial.truth = is_class(1);
    trial.weight = data.weights;
  } else {
    for (std::size_t k = 0; k < classes; ++k) {
      const std::vector<std::uint8_t> truth = is_class(k);
      std::vector<double> own(rows);
      for (std::size_t n = 0; n < rows; ++n) {
        const double p = probability[n * classes + k];
        own[n] = std::log(p) - std::log1p(-p);
      }
      // Fitted one against the rest, a class has log odds of its own.
      const bool coupled = fit.summary().softmax || fit.summary().pairwise;
      each.push_back(binary_metrics(coupled ? own : log_odds[k], truth, data.weights));
      trial.log_odds.insert(trial.log_odds.end(), own.begin(), own.end());
      trial.truth.insert(trial.truth.end(), truth.begin(), truth.end());
      trial.weight.insert(trial.weight.end(), data.weights.begin(), data.weights.end());
    }
    trial.all = class_metrics(probability, classes, data.labels, data.weights);
  }
  trial.one_vs_rest = mean_metrics(each);
  trial.probability = std::move(probability);
  trial.label = data.labels;
  trial.row_weight = data.weights;
  return trial;
}

}  // namespace linkgistic

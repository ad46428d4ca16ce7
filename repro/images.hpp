// The image sets and the tasks made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "metrics/classification_metrics.hpp"
#include "repro/experiment.hpp"

namespace linkgistic::repro {

struct ImageSet {
  std::string name, title;
  ClassificationData train, test;  // ten classes
  std::string note;                // what a reader must know of the rows
};

/// Where the training part is absent, the test part cut at random: 8,000 rows to train, the rest to test.
ImageSet read_images(const std::string& folder, const std::string& name);

/// `rows` of them, drawn without replacement by the seed; all, in their order, where there are no more.
ClassificationData sample_rows(const ClassificationData& data, std::size_t rows, std::uint64_t seed);

/// Two classes: the labels in `positive` against the others.
ClassificationData binary_task(const ClassificationData& data, const std::vector<std::int32_t>& positive);

/// Metrics of log odds (N, scores): the mean over scores of each metric, one against the rest, and the
/// accuracy of the greatest.
struct ClassScores {
  BinaryMetrics mean;
  double class_accuracy = 0;
  std::vector<double> right;     // (N): 1 where the greatest is the label's
  std::vector<double> row_loss;  // (N): mean over scores of the log loss
};
ClassScores class_scores(const std::vector<double>& log_odds, const ClassificationData& test);

/// A fit of ours; v = 0.05 of the offset prior.
FittedLinkgisticClassifier fit_linkgistic(const ClassificationData& train, LinkPrior prior,
                                          std::optional<double> l2, const Settings& settings);

}  // namespace linkgistic::repro

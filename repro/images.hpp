// The image sets and the tasks made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "metrics/classification_metrics.hpp"
#include "repro/experiment.hpp"
#include "repro/printed_linkgistic.hpp"
#include "repro/statistics.hpp"

namespace linkgistic::repro {

struct ImageSet {
  std::string name, title;         // KMNIST cut from its test part is called KMNIST-8k
  ClassificationData train, test;  // ten classes
  std::string note;                // what a reader must know of the rows
};

/// Where the training part is absent, the test part cut at random: 8,000 rows to train, the rest to test.
ImageSet read_images(const std::string& folder, const std::string& name);

/// `rows` of them, drawn without replacement by the seed; all, in their order, where there are no more.
ClassificationData sample_rows(const ClassificationData& data, std::size_t rows, std::uint64_t seed);

/// These rows, in this order.
ClassificationData take(const ClassificationData& data, const std::vector<std::size_t>& which);

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

/// The areas under the curves of log odds (N, scores), or their mean over scores, with DeLong's errors.
Auc auc_of(const std::vector<double>& log_odds, const ClassificationData& test);

/// The options of a fit of ours: the library's defaults, but for v = 0.05 of the offset prior.
LinkgisticOptions our_options(LinkPrior prior, std::optional<double> l2, const Settings& settings);
FittedLinkgisticClassifier fit_linkgistic(const ClassificationData& train, LinkPrior prior,
                                          std::optional<double> l2, const Settings& settings);

/// The options of a fit as printed, k(0,0) = size.
PrintedLinkgisticOptions printed_options(LinkPrior prior, double size, const Settings& settings);

}  // namespace linkgistic::repro

// Pictures of a learned loss: of classifiers, calibrators, or by itself.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/learned_loss.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// A band of the source at some scores; empty where there is none.
struct SourceBand {
  std::vector<double> score, lower, upper;
};

/// The band of one score of a classifier; none where its link is held.
SourceBand source_band(const FittedLinkgisticClassifier& fit, std::size_t score, const LearnedLoss& loss);

/// The scores of a picture: those the source was learned on, and a tenth of their range on either side.
std::vector<double> scores_to_draw(const LearnedLoss& loss);

/// `what` is one of
/// - loss: l_nu(y, x) for both labels, and dashed the base loss under its own link, of the same slope at
///   p = 1/2;
/// - link: the probability of label 1 at a score, with its band, and that of the base;
/// - source: nu with its band and the straight line, and below it nu';
/// - weight: w(u) of the base, which the source does not change, and below it the slope chi'(u) of the
///   learned link.
/// Throws a UsageError for another word, and for the weight of a source that is not increasing. `score_name`
/// is the label of the axis; `title` is above the figure.
Figure learned_loss_figure(const LearnedLoss& loss, const std::string& what, const SourceBand& band = {},
                           const std::string& score_name = "score", const std::string& title = "");

}  // namespace linkgistic

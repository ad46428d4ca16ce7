// A fitted classifier in words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

namespace linkgistic {

/// What was fitted, from what, how it ended: lines for a reader. Not the warnings.
std::string classifier_text(const FittedLinkgisticClassifier& fit);

/// " (chosen by ...)", or nothing where l2 was given.
std::string how_l2_was_chosen(const FittedLinkgisticClassifier& fit);

/// For each score the hyper-parameters of its link's prior, by name; none where the link is the identity.
std::vector<std::vector<std::pair<std::string, double>>> link_hyper_parameters(
    const FittedLinkgisticClassifier& fit);

/// The same in words, a line a score.
std::string hyper_text(const FittedLinkgisticClassifier& fit);

/// The coefficients by name in the units of the features, of the first 50 features and 10 scores.
std::string coefficient_text(const FittedLinkgisticClassifier& fit);

/// The table of coefficients of two classes with their errors, of the first 50 features: posterior, or with
/// `robust` those of the sandwich. Empty where there is none.
std::string inference_text(const FittedLinkgisticClassifier& fit, bool robust = false);

/// The link of each of the first 10 scores at points across its range: score, nu with its 90 % band,
/// probability.
std::string link_text(const FittedLinkgisticClassifier& fit);

/// Points across the range of a score.
std::vector<double> score_grid(const ClassSummary& score, int points);

}  // namespace linkgistic

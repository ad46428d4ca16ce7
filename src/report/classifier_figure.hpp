// Pictures of a fitted classifier.
#pragma once

#include <linkgistic/linkgistic_classifier.hpp>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// The learned inverse link of each score (of at most twelve): probability against linear score with its 90 %
/// band, and beside it the base's own, the logistic curve for the log loss.
Figure link_figure(const FittedLinkgisticClassifier& fit);

}  // namespace linkgistic

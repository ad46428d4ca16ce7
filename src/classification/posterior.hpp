// The posteriors of the links that a fitted classifier keeps.
#pragma once

#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/fit.hpp"
#include "classification/fitted.hpp"
#include "classification/joint_posterior.hpp"
#include "classification/link_fit.hpp"
#include "numeric/progress_monitor.hpp"
#include "numeric/recall.hpp"

namespace linkgistic {

/// Sets them in `links`, and in the summary the words for the worst of them. A fit that was stopped has those
/// of its E-steps. Draws of chains that `recall` knows, if it is not empty, are not made again.
void last_posteriors(const LinkFamily& family, const LinkgisticOptions& options, ProgressMonitor& monitor,
                     const Recall& recall, std::vector<ClassLink>& links, ClassifierSummary& summary);

/// The posterior of a softmax's links all together, into them and into the words of the summary. False where
/// they are too many: they keep that of each class by itself.
bool joint_posterior(const LinkPrecision& precision, std::vector<ClassLink>& links,
                     ClassifierSummary& summary);

/// The posterior of coefficients and link of two classes, into the state: for every v that was tried where
/// the evidence has chosen it, by its probability among bent links. A link that was taken for straight may
/// bend a little. The engine's rows have this scale.
void posterior_of_weights(const ClassifierFit& fit, RowEngine& engine, ColumnScale scale,
                          std::int32_t positive, FittedClassifierState& state);

}  // namespace linkgistic

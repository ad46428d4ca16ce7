// The posteriors of the links that a fitted classifier keeps.
#pragma once

#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/link_fit.hpp"

namespace linkgistic {

/// Sets them in `links`, and in the summary the words for the worst of them. A fit that was stopped has those
/// of its E-steps.
void last_posteriors(const LinkFamily& family, const LinkgisticOptions& options,
                     std::vector<ClassLink>& links, ClassifierSummary& summary);

}  // namespace linkgistic

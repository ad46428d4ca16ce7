// All classes of an image set as one model, beside one against the rest. The paper has the latter alone.
#pragma once

#include "repro/images.hpp"

namespace linkgistic::repro {

/// Log loss and accuracy over all classes of three models with everything chosen by the data: one against the
/// rest, multinomial logistic regression, and a softmax of learned links; differences paired.
PageTable all_classes_table(const ImageSet& set, const Settings& settings);

}  // namespace linkgistic::repro

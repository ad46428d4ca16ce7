// The scale of the features.
#pragma once

#include <span>

#include <linkgistic/linkgistic_classifier.hpp>

#include "rows/column_scale.hpp"

namespace linkgistic {

/// As the options ask; InputError with the place of a value that is not finite.
ColumnScale feature_scale(const FeatureRows& rows, std::span<const float> weights,
                          const LinkgisticOptions& options);

}  // namespace linkgistic

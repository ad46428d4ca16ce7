// The scale of the features.
#pragma once

#include <linkgistic/linkgistic_classifier.hpp>

#include "engine/row_engine.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {

/// As the options ask, from the sums of the engine that has these rows; InputError with the place of a value
/// that is not finite.
ColumnScale feature_scale(RowEngine& engine, const FeatureRows& rows, const LinkgisticOptions& options);

}  // namespace linkgistic

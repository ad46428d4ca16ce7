// The scale of the features.
#pragma once

#include <functional>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/facts.hpp"
#include "engine/row_engine.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {

/// As the options ask, from the sums of the engine that has these rows. `refuse` is called with a column
/// whose values are not finite, and then an InputError names it.
ColumnScale feature_scale(RowEngine& engine, const TrainingFacts& facts, const LinkgisticOptions& options,
                          const std::function<void(std::size_t)>& refuse);

/// The same of rows in this process: the InputError has the place of the value.
ColumnScale feature_scale(RowEngine& engine, const FeatureRows& rows, const LinkgisticOptions& options);

/// An InputError with the first value of the column that is not finite, if there is one.
void refuse_column(const RowMatrix& matrix, std::size_t column);

/// The moments of the stored values.
ColumnMoments moments_of(RowEngine& engine, std::vector<double> pivot);

}  // namespace linkgistic

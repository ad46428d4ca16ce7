// What the data and the result of a fit must be.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/em.hpp"
#include "classification/facts.hpp"

namespace linkgistic {

/// InputError for lengths that differ, labels, weights and parts that cannot be, and weights of classes that
/// are none.
void check_data(const ClassificationData& data, const LinkgisticOptions& options);

/// The passes over the rows are in single precision: what overflows there leaves no model. InputError with
/// the largest column.
void check_finite(const EmResult& fit, RowEngine& engine, const TrainingFacts& facts,
                  const std::vector<std::string>& feature_names);

}  // namespace linkgistic

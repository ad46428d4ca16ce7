// The weights of classes and rows.
#pragma once

#include <span>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

namespace linkgistic {

/// (C): the weight of each class's rows. InputError unless there are two classes and all have some.
std::vector<double> class_totals(const ClassificationData& data, std::span<const float> weights);

/// (N), or empty: those of the data times those of the classes.
std::vector<float> row_weights(const ClassificationData& data, const LinkgisticOptions& options);

}  // namespace linkgistic

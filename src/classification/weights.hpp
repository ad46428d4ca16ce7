// The weights of classes and rows.
#pragma once

#include <span>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "numeric/tree_sum.hpp"

namespace linkgistic {

/// (C): the weight of each class's rows. InputError unless there are two classes and all have some.
std::vector<double> class_totals(const ClassificationData& data, std::span<const float> weights);

/// The weights of classes over rows that begin with row `first_row` of all, at the begin of a leaf.
SumNodes class_sums(std::span<const std::int32_t> labels, std::span<const float> weights,
                    std::uint64_t first_row, std::size_t classes);
/// InputError unless there are two classes and all have some weight.
void check_totals(std::span<const double> totals, const std::vector<std::string>& class_names);
/// (C): what multiplies the weights of each class's rows; `totals` are needed where they are to be balanced.
std::vector<double> class_factors(const std::vector<std::string>& class_names, std::span<const double> totals,
                                  const LinkgisticOptions& options);
/// Multiplies the weights (empty: 1) of rows by the factors of their classes.
void weigh_classes(std::span<const double> factor, std::span<const std::int32_t> labels,
                   std::vector<float>& weights);

/// (N), or empty: those of the data times those of the classes.
std::vector<float> row_weights(const ClassificationData& data, const LinkgisticOptions& options);

}  // namespace linkgistic

// The rows that a classifier is fitted to, and the parts of its cross-validation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "engine/selection.hpp"

namespace linkgistic {

/// Of more rows one part is enough to tell values of l2 apart, links need no held-out margins, and rows are
/// not copied.
inline constexpr std::size_t few_rows = 20000;

struct TrainingRows {
  FeatureRows rows;
  std::span<const std::int32_t> labels;
  std::vector<std::int32_t> own_labels;  // what `labels` views, where the rows are distinct ones
  std::vector<float> weights;            // empty: every row counts once
  std::vector<RowPart> parts;
  bool cross_fit = false;  // links are learned from held-out scores
};

/// Few rows that are alike (features, label, place in the parts) are one with the sum of their weights, those
/// of weight 0 are none, and the order depends on nothing else: so a weight of 2 is the row twice to the last
/// bit. Many rows are taken as they are, which is the same up to rounding.
/// The parts are the caller's; without them options.cv of them, stratified by label, or only the first of
/// these when rows are many and need not all be held out. None where nothing is chosen or cross-fitted.
/// The data must outlive the result.
TrainingRows training_rows(const ClassificationData& data, std::vector<float> weights,
                           const LinkgisticOptions& options);

/// The parts as an engine has them.
RowParts row_parts(const std::vector<RowPart>& parts, std::size_t rows);

}  // namespace linkgistic

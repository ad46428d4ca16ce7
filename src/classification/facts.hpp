// What a fit knows of its rows, wherever they are, but for the sums that it asks their engine for.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/data.hpp"
#include "engine/answer_log.hpp"
#include "engine/row_engine.hpp"

namespace linkgistic {

struct TrainingFacts {
  std::vector<std::string> class_names, feature_names;  // of features: empty ones are x1, x2, ...
  FeatureEncoding encoding;
  std::size_t rows = 0;        // of positive weight
  bool bytes = false;          // how the values are stored
  std::vector<double> totals;  // (C): the weights of the classes
  std::vector<double> origin;  // (D) of the stored values, or empty: 0
  std::vector<double> pivot;   // (D): the first row as it is stored, or zeros of sparse rows
  std::size_t parts = 0;       // of the cross-validation
  bool cross_fit = false;      // links are learned from held-out scores
  // Classes with fewer rows than there are parts, with their numbers of rows.
  std::vector<std::pair<std::int32_t, std::size_t>> small_classes;
};

/// Whether each pair of so many classes is fitted; an InputError if they are too many for it.
bool fits_pairs(std::size_t classes, const LinkgisticOptions& options);

/// The fit by an engine of these rows. `log` may be null. `refuse_column` throws for a column whose values
/// are not finite; if it returns, the error names the column alone.
FittedLinkgisticClassifier fit_by_engine(const TrainingFacts& facts, RowEngine& engine,
                                         const LinkgisticOptions& options, AnswerLog* log,
                                         const std::function<void(std::size_t)>& refuse_column);

}  // namespace linkgistic

// The rows that a classifier is fitted to, and the parts of its cross-validation.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "engine/selection.hpp"

namespace linkgistic {

/// With more rows than this, one part is enough to compare values of l2, links need no held-out margins, and
/// rows are not copied.
inline constexpr std::size_t few_rows = 20000;

/// The part that holds each row out. Of every `parts` consecutive rows of a class, one goes to each part, in
/// a random order. Only a row's rank in its class matters, and the holder of any piece of the rows knows that
/// rank from the counts of the pieces before it.
class StratifiedParts {
 public:
  StratifiedParts(std::size_t parts, std::uint64_t seed) : parts_(parts), seed_(seed) {}
  /// Rows of these ranks in their classes come first.
  void begin_at(std::int32_t label, std::uint64_t rank) { classes_[label].rank = rank; }
  /// The part of the next row, which has this label.
  std::size_t operator()(std::int32_t label);
  /// The parts of rows parts round .. parts (round + 1) - 1 of a class.
  [[nodiscard]] std::vector<std::size_t> order_of(std::int32_t label, std::uint64_t round) const;

 private:
  struct Class {
    std::uint64_t rank = 0;
    std::vector<std::size_t> order;  // of the rows that follow each other now
  };
  std::size_t parts_;
  std::uint64_t seed_;
  std::map<std::int32_t, Class> classes_;
};

/// The classes with fewer rows than parts, of the numbers of rows (C), unless they have more than a tenth of
/// all rows: links that know them by their own scores and the others by held-out ones would be wrong between
/// the two.
std::vector<std::int32_t> small_classes(std::span<const std::size_t> rows, std::size_t parts);

struct TrainingRows {
  FeatureRows rows;
  std::span<const std::int32_t> labels;
  std::vector<std::int32_t> own_labels;  // what `labels` views, where the rows are distinct ones
  std::vector<float> weights;            // empty: every row counts once
  std::vector<RowPart> parts;
  bool cross_fit = false;  // links are learned from held-out scores
  // The classes with fewer rows than there are parts: no part holds a row of them out.
  std::vector<std::int32_t> small_classes = {};
};

/// For small data, identical rows (features, label, place in the parts) are merged, their weights added, rows
/// of weight 0 dropped, and the rest put in a canonical order. So a weight of 2 gives the same bits as the
/// row twice. Large data are taken as they are, which gives the same result up to rounding. The parts are the
/// caller's. If there are none, there are options.cv parts, stratified by label; only the first of these for
/// large data that need not all be held out; and none if nothing is chosen or cross-fitted. The data must
/// outlive the result.
TrainingRows training_rows(const ClassificationData& data, std::vector<float> weights,
                           const LinkgisticOptions& options);

/// The parts as an engine has them.
RowParts row_parts(const std::vector<RowPart>& parts, std::size_t rows);

}  // namespace linkgistic

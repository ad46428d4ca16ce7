// The loss of one row under one set of problems, with its derivatives in the scores.
#pragma once

#include <span>
#include <vector>

#include "engine/verbs/score_request.hpp"

namespace linkgistic {

class RowLoss {
 public:
  /// The request must outlive this object.
  explicit RowLoss(const ScoreRequest& request);

  /// Whether the row counts in a set.
  [[nodiscard]] bool takes(std::size_t set, const ScoredRow& row) const;
  /// The scores of a set among those of a row.
  [[nodiscard]] std::span<const double> scores(std::size_t set, const ScoredRow& row) const {
    return row.scores.subspan(set * request_.coupled, request_.coupled);
  }

  /// -log p(label), or the problem's own loss, at these scores of the set.
  double value(std::size_t set, std::int32_t label, std::span<const double> scores);

  // Of the last value, for each problem of the set:
  /// the derivatives in the scores,
  [[nodiscard]] std::span<const double> slopes() const { return slope_; }
  /// the probabilities of the classes (of a softmax alone),
  [[nodiscard]] std::span<const double> probabilities() const { return p_; }

  /// For each direction the second derivative at these scores, not negative: of a softmax p_k (1 - p_k)
  /// nu_k'^2 and, last, the variance of nu' under p, without the bend of the links.
  std::span<const double> curvatures(std::size_t set, std::int32_t label, std::span<const double> scores);

 private:
  // Of a problem by itself: 1, its own label, or 0.
  [[nodiscard]] std::int32_t one_label(std::size_t set, std::int32_t label) const {
    return label == request_.problems[set].label ? 1 : 0;
  }
  [[nodiscard]] std::size_t place_of(std::size_t set, std::int32_t label) const;
  double softmax(std::size_t set, std::int32_t label, std::span<const double> scores);

  const ScoreRequest& request_;
  std::vector<double> slope_, link_slope_, p_, curvature_;
};

}  // namespace linkgistic

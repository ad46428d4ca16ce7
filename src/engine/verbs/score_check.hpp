// check: what a calibration must know about labelled scores before it counts them. These are the first rows
// that it cannot use, and whether all scores are probabilities.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

#include "numeric/limits.hpp"

namespace linkgistic {

/// The first row of a kind, with its value.
struct FirstRow {
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t row = none;  // global, from 0
  double value = 0;

  void note(std::uint64_t at, double found) {
    if (at < row) *this = {at, found};
  }
  void merge(const FirstRow& other) { note(other.row, other.value); }

  auto fields() { return std::tie(row, value); }
};

struct ScoreCheckAnswer {
  std::uint64_t rows = 0;
  bool weighs = false;      // a weight is positive
  FirstRow no_number;       // a score that is NaN
  FirstRow no_probability;  // a score outside [0, 1], or NaN
  FirstRow bad_label;       // a label that is neither 0 nor 1
  FirstRow bad_weight;      // a weight that cannot be used

  auto fields() { return std::tie(rows, weighs, no_number, no_probability, bad_label, bad_weight); }
};

struct ScoreCheckRequest {
  using Answer = ScoreCheckAnswer;
};

/// Row `number` has this score, label and weight.
inline void add_row(ScoreCheckAnswer& to, std::uint64_t number, double score, std::uint8_t label,
                    double weight) {
  ++to.rows;
  to.weighs = to.weighs || weight > 0;
  if (!(score >= 0 && score <= 1)) {
    to.no_probability.note(number, score);
    if (std::isnan(score)) to.no_number.note(number, score);
  }
  if (label > 1) to.bad_label.note(number, label);
  if (!is_weight(weight)) to.bad_weight.note(number, weight);
}

/// The order makes no difference.
inline void merge(ScoreCheckAnswer& left, const ScoreCheckAnswer& right) {
  left.rows += right.rows;
  left.weighs = left.weighs || right.weighs;
  left.no_number.merge(right.no_number);
  left.no_probability.merge(right.no_probability);
  left.bad_label.merge(right.bad_label);
  left.bad_weight.merge(right.bad_weight);
}

}  // namespace linkgistic

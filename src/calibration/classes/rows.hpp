// The rows that a calibrator of many classes learns from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <linkgistic/class_calibrator.hpp>

namespace linkgistic {

/// All of positive weight.
struct ClassRows {
  std::vector<double> log_odds;  // (N, C): of each class against the others, as the scores claim
  std::vector<std::int32_t> labels;
  std::vector<double> weights;  // (N), or none: all 1
  std::size_t classes = 0;

  [[nodiscard]] std::size_t size() const { return labels.size(); }
  [[nodiscard]] double weight(std::size_t n) const { return weights.empty() ? 1.0 : weights[n]; }
};

/// Rows of positive weight; an InputError that names the row for a label or a weight that cannot be.
ClassRows check_rows(std::span<const double> log_odds, std::span<const std::int32_t> labels,
                     std::span<const double> weights, std::size_t classes);

/// (N): the part, 0 to folds - 1, that each row belongs to. It is random, but equal rows have the same part.
std::vector<int> parts_of(const ClassRows& rows, const ClassCalibratorOptions& options);

/// The rows of a part, or all others.
ClassRows part_of(const ClassRows& rows, std::span<const int> part, int which, bool inside);

/// (N): the probabilities p (N, C) of the rows' labels.
std::vector<double> of_labels(const ClassRows& rows, std::span<const double> p);

}  // namespace linkgistic

// What became of the predicted classes: how sure a prediction was against how often it was right, and which
// classes were taken for which.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/page.hpp"

namespace linkgistic {

/// Probabilities (N, C) of rows whose classes are known; an empty weight counts every row once.
struct ClassOutcomes {
  std::span<const double> probability;
  std::span<const std::int32_t> label;
  std::span<const double> weight;
  std::size_t classes = 0;
};

/// The log odds of the class with the greatest probability in each row, and whether it was that class.
struct Confidence {
  std::vector<double> log_odds;
  std::vector<std::uint8_t> right;
};
Confidence confidence(const ClassOutcomes& outcomes);

/// The reliability diagram of the confidence: how often the predicted class was right against its
/// probability.
Picture confidence_picture(const ClassOutcomes& outcomes, const std::string& when);

/// Rows by their class, columns by the predicted one. Of more than `most_confused` classes, the pairs that
/// were confused most.
inline constexpr std::size_t most_confused = 20;
PageTable confusion_table(const ClassOutcomes& outcomes, std::span<const std::string> names);

}  // namespace linkgistic

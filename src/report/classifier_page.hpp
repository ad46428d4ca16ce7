// The report of a fitted classifier.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "metrics/classification_metrics.hpp"
#include "report/page.hpp"

namespace linkgistic {

/// What a classifier said of rows whose classes are known.
struct ClassifierTrial {
  std::string name;  // of the table
  std::size_t rows = 0;
  BinaryMetrics all, one_vs_rest;  // as `evaluate` has them
  /// Two classes: the log odds of the second. More: of every class in every row, and whether it was it.
  std::vector<double> log_odds;
  std::vector<std::uint8_t> truth;
  std::vector<double> weight;       // or empty
  std::vector<double> probability;  // (N, C)
  std::vector<std::int32_t> label;
  std::vector<double> row_weight;  // (N) or empty
  /// What another method, fitted to the rows that the classifier was fitted to, says of these; empty: none.
  std::string rival;
  std::vector<double> rival_probability;  // (N, C)
};

/// The verdict; coefficients; links and learned losses; how it does on a trial if there is one; folded, what
/// was fitted and how EM went; the command that makes the model again.
Page classifier_page(const FittedLinkgisticClassifier& fit, const std::optional<ClassifierTrial>& trial);

}  // namespace linkgistic

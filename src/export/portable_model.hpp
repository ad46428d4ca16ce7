// A fitted model as plain numbers, from which every form for another program is written: linear scores of the
// features, a curve for each score, and how probabilities come from the values of the curves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <linkgistic/feature_encoding.hpp>

#include "export/portable_curve.hpp"

namespace linkgistic {

enum class PortableOutput {
  value,            // of the single curve
  two_classes,      // the value is the log odds of the second class
  softmax,          // of the values
  one_against_rest  // the values are log odds of each class, whose probabilities are divided by their sum
};

/// Scores beyond an end that training saw infinite ones behind: s becomes end + m z / (m + z), z = s - end.
struct ScoreBend {
  double end = 0, margin = 1;
};

struct PortableModel {
  std::string kind;
  std::vector<std::string> features;  // (D)
  FeatureEncoding encoding;           // how columns become features; without columns they are the features
  std::vector<std::string> classes;   // (C), or none of a value
  PortableOutput output = PortableOutput::value;
  std::vector<double> coefficients;  // (scores, D + 1), intercept first
  /// Calibrators: whether the feature is a probability, whose log odds (bounded as in numeric/log_odds.hpp)
  /// are the score, and what is done to scores beyond the ends.
  bool probability = false;
  std::optional<ScoreBend> below, above;
  std::vector<PortableCurve> curves;  // (scores), all with the same number of cells

  [[nodiscard]] std::size_t scores() const { return curves.size(); }
  [[nodiscard]] std::size_t cells() const { return curves.front().cells.size(); }
  [[nodiscard]] double coefficient(std::size_t score, std::size_t j) const {
    return coefficients[score * (features.size() + 1) + j];
  }
  /// The value, or the probabilities of all classes, at one row of features.
  [[nodiscard]] std::vector<double> at(std::span<const double> row) const;
};

/// Of the text of a model file. A UsageError says why a model has no such form: pairs of classes and
/// calibrators of many classes.
PortableModel portable_model(const std::string& model_text, const std::string& origin);

}  // namespace linkgistic

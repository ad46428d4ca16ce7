// Data for the tests of the classifier.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "numeric/logistic.hpp"
#include "numeric/random.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {

/// Rows whose class leans on the first columns through a bent link; classes named a, b, ...
inline ClassificationData bent_rows(std::size_t rows, std::size_t columns, std::size_t classes,
                                    std::uint64_t seed) {
  RandomStream random(seed);
  ClassificationData data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    std::vector<double> x(columns);
    for (double& v : x) v = random.normal();
    std::size_t label = classes - 1;
    for (std::size_t k = 0; k + 1 < classes && label == classes - 1; ++k) {
      const double score = x[k] - 0.5 * x[(k + 1) % columns];
      if (random.uniform() < sigmoid(score < 0 ? 3 * score : 0.4 * score)) label = k;
    }
    data.labels.push_back(static_cast<std::int32_t>(label));
    values.insert(values.end(), x.begin(), x.end());
  }
  data.rows = FeatureRows::dense(values, rows, columns);
  for (std::size_t k = 0; k < classes; ++k) data.class_names.emplace_back(1, static_cast<char>('a' + k));
  return data;
}

/// A feature in its own units.
inline double feature(const ClassificationData& data, std::size_t n, std::size_t j) {
  const auto& origin = data.rows.origin();
  return data.rows.matrix().at(n, j) + (origin.empty() ? 0 : origin[j]);
}

/// Mean log loss of the labels under a model.
inline double log_loss(const FittedLinkgisticClassifier& model, const ClassificationData& data) {
  const ClassPrediction p = model.predict(data.rows);
  const std::size_t classes = data.class_names.size();
  double sum = 0;
  double weight = 0;
  for (std::size_t n = 0; n < data.labels.size(); ++n) {
    const double w = data.weights.empty() ? 1 : data.weights[n];
    sum -= w * std::log(p.probability[n * classes + static_cast<std::size_t>(data.labels[n])]);
    weight += w;
  }
  return sum / weight;
}

/// That of the classes' shares, whatever the row.
inline double constant_log_loss(const ClassificationData& data) {
  std::vector<double> count(data.class_names.size());
  for (const std::int32_t label : data.labels) count[static_cast<std::size_t>(label)] += 1;
  const auto n = static_cast<double>(data.labels.size());
  double sum = 0;
  for (const double c : count) sum -= c / n * std::log(c / n);
  return sum;
}

}  // namespace linkgistic

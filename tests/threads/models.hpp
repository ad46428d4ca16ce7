// One small model of each product, for the tests of threads and forks.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

/// Rows of one kind for each product; enough of them that sums are cut into chunks, which threads share.
struct ThreadedRows {
  std::vector<double> x, y, score, class_scores;
  std::vector<std::uint8_t> label;
  std::vector<std::int32_t> classes;
  ClassificationData features;
  std::vector<double> at;  // where predictions are made

  explicit ThreadedRows(std::size_t rows = 9000) {
    RandomStream random(8);
    std::vector<double> values;
    for (std::size_t i = 0; i < rows; ++i) {
      const double s = 2 * random.normal();
      x.push_back(s);
      y.push_back(std::tanh(s) + 0.3 * random.normal());
      score.push_back(s);
      label.push_back(random.uniform() < sigmoid(2 * std::tanh(s)) ? 1 : 0);
    }
    for (std::size_t i = 0; i < 600; ++i) {
      const auto k = static_cast<std::int32_t>(i % 3);
      classes.push_back(k);
      for (std::int32_t j = 0; j < 3; ++j) {
        class_scores.push_back(random.normal() + (j == k ? 1 : 0));
        values.push_back(random.normal() + (j == k ? 1 : 0));
      }
    }
    features.rows = FeatureRows::dense(values, 600, 3);
    features.labels = classes;
    features.class_names = {"a", "b", "c"};
    for (int i = 0; i <= 60; ++i) at.push_back(-6 + 0.2 * i);
  }
};

/// What a model answers: numbers that need the posterior, and the text of its file.
struct Answers {
  std::vector<double> numbers;
  std::string text;
  friend bool operator==(const Answers&, const Answers&) = default;
};

inline void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// A fitted model of a product: `fit` makes one, `text` is its file, `read` takes that, `answers` asks it.
struct Regression {
  using Fitted = FittedMonotoneRegression;
  static Fitted fit(const ThreadedRows& rows, int threads) {
    MonotoneRegressionOptions options;
    options.harmonics = 6;
    options.threads = threads;
    return MonotoneRegression(options).fit(rows.x, rows.y);
  }
  static Answers answers(const Fitted& fitted, const ThreadedRows& rows) {
    Answers result;
    const Prediction p = fitted.predict(rows.at);
    for (const auto* part : {&p.estimate, &p.lower, &p.upper, &p.obs_lower, &p.obs_upper})
      append(result.numbers, *part);
    for (const auto& draw : fitted.sample(rows.at, 3, 5)) append(result.numbers, draw);
    result.text = fitted.to_json();
    return result;
  }
};

struct Calibration {
  using Fitted = FittedMonotoneCalibrator;
  static Fitted fit(const ThreadedRows& rows, int threads) {
    return MonotoneCalibrator({.threads = threads}).fit(rows.score, rows.label);
  }
  static Answers answers(const Fitted& fitted, const ThreadedRows& rows) {
    const CalibratedScores p = fitted.predict(rows.at);
    Answers result{p.probability, {}};
    append(result.numbers, p.lower);
    append(result.numbers, p.upper);
    result.text = fitted.to_json();
    return result;
  }
};

struct ClassCalibration {
  using Fitted = FittedClassCalibrator;
  static Fitted fit(const ThreadedRows& rows, int threads) {
    ClassCalibratorOptions options;
    options.map.threads = threads;
    return ClassCalibrator(options).fit(rows.class_scores, rows.classes, {"a", "b", "c"});
  }
  static Answers answers(const Fitted& fitted, const ThreadedRows& rows) {
    return {fitted.predict(rows.class_scores).probability, fitted.to_json()};
  }
};

struct Classification {
  using Fitted = FittedLinkgisticClassifier;
  static Fitted fit(const ThreadedRows& rows, int threads) {
    LinkgisticOptions options;
    options.l2 = 1;
    options.v = 0.05;
    options.em_iterations = 3;
    options.threads = threads;
    return LinkgisticClassifier(options).fit(rows.features);
  }
  static Answers answers(const Fitted& fitted, const ThreadedRows& rows) {
    const ClassPrediction p = fitted.predict(rows.features.rows);
    Answers result{p.probability, {}};
    append(result.numbers, p.lower);
    append(result.numbers, p.upper);
    result.text = fitted.to_json();
    return result;
  }
};

}  // namespace linkgistic

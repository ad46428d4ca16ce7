// Our methods and the baselines on the same rows, for the verb compare.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <linkgistic/dataset.hpp>

namespace linkgistic {

/// What a method scored on the test rows, in the order of the columns.
struct MethodScore {
  std::string method;
  std::vector<std::pair<std::string, double>> values;  // metric, value
  double seconds = 0;                                  // of the fit
  std::string stop;
};

struct CompareRows {
  std::vector<double> x, y, weight;  // weight empty: ones
};

struct CompareSettings {
  std::string loss = "log";  // base of our classifiers
  std::optional<double> l2;  // empty: chosen by cross-validation
  int iterations = 100;      // of the Trons
  bool row_scaling = false;  // Trons: |x| <= 1
  std::uint64_t seed = 0;
  int threads = 0;
  std::function<bool()> stop;
};

/// The methods there are, in the order of a table.
const std::vector<std::string>& regression_methods();
const std::vector<std::string>& classification_methods();

/// mse and nll of one method.
MethodScore compare_regression(const std::string& method, const CompareRows& train, const CompareRows& test,
                               const CompareSettings& settings);

/// auc, log_loss, accuracy and brier of one method. More than two classes: mean of the one-vs-rest auc, log
/// loss and accuracy of the class, sum over classes of squared errors. Trons: one against the rest,
/// normalised.
MethodScore compare_classification(const std::string& method, const ClassificationData& train,
                                   const ClassificationData& test, const CompareSettings& settings);

/// Probabilities of 0 and 1, which some Trons give, count as this far from them in the log loss.
inline constexpr double tron_clip = 1e-6;

}  // namespace linkgistic

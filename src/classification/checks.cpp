#include "classification/checks.hpp"

#include <algorithm>
#include <cmath>

#include <linkgistic/error.hpp>

#include "classification/scale.hpp"
#include "numeric/limits.hpp"
#include "rows/row_matrix.hpp"
#include "text/message.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

void check_part(const RowPart& part, std::size_t i, std::size_t rows) {
  const std::string name = "part " + std::to_string(i + 1) + " of the cross-validation";
  if (part.held_out.empty()) throw InputError(name + " holds no row out");
  for (const auto* which : {&part.train, &part.held_out}) {
    for (const std::size_t n : *which) {
      if (n >= rows)
        throw InputError(name + " has row " + std::to_string(n) + ", and they are 0 to " +
                         std::to_string(rows - 1));
    }
  }
}

}  // namespace

void check_data(const ClassificationData& data, const LinkgisticOptions& options) {
  const std::size_t rows = data.rows.rows();
  const auto count = [&](const char* what, std::size_t n, std::size_t expected, const char* of) {
    if (n != expected) {
      throw InputError(std::to_string(n) + " " + what + " for " + std::to_string(expected) + " " + of);
    }
  };
  if (rows == 0) throw InputError("there are no rows");
  if (data.rows.columns() == 0) throw InputError("there are no features");
  count("labels", data.labels.size(), rows, "rows");
  if (!data.weights.empty()) count("weights", data.weights.size(), rows, "rows");
  if (!data.feature_names.empty())
    count("feature names", data.feature_names.size(), data.rows.columns(), "columns");
  if (!data.encoding.columns.empty())
    count("encoded features", data.encoding.width(), data.rows.columns(), "columns");
  for (std::size_t i = 0; i < data.parts.size(); ++i) check_part(data.parts[i], i, rows);
  for (std::size_t n = 0; n < rows; ++n) {
    if (data.labels[n] < 0 || static_cast<std::size_t>(data.labels[n]) >= data.class_names.size()) {
      throw InputError("the label of row " + std::to_string(n + 1) + " is class number " +
                       std::to_string(data.labels[n]) + " of " + std::to_string(data.class_names.size()));
    }
    if (!data.weights.empty() && !is_weight(data.weights[n])) {
      throw InputError("the weight of row " + std::to_string(n + 1) + " is " + shortest(data.weights[n]) +
                       ": " + weight_rule);
    }
  }
  for (const auto& entry : options.class_weights) {
    if (std::find(data.class_names.begin(), data.class_names.end(), entry.first) == data.class_names.end()) {
      throw InputError("class_weights: there is no class '" + entry.first + "'");
    }
  }
}

void check_finite(const EmResult& fit, RowEngine& engine, const TrainingFacts& facts,
                  const std::vector<std::string>& feature_names) {
  const auto finite = [](double value) { return std::isfinite(value); };
  const bool good = std::all_of(fit.beta.begin(), fit.beta.end(), finite) &&
                    std::all_of(fit.solves.begin(), fit.solves.end(),
                                [&](const ClassFit& c) { return finite(c.gradient_ratio); }) &&
                    finite(fit.trace.back().objective);
  if (good) return;
  const ColumnMoments moments = moments_of(engine, facts.pivot);
  std::size_t largest = 0;
  const auto size = [&](std::size_t j) { return moments.mean[j] * moments.mean[j] + moments.variance[j]; };
  for (std::size_t j = 1; j < moments.mean.size(); ++j)
    if (size(j) > size(largest)) largest = j;
  throw InputError("column " + in_quotes(feature_names[largest]) + ": its values, of size " +
                   shortest(std::sqrt(size(largest))) +
                   ", are too large for the fit, which is in single precision: divide them by a power of 10");
}

}  // namespace linkgistic

#include "classification/weights.hpp"

#include <algorithm>
#include <string>

#include <linkgistic/error.hpp>

namespace linkgistic {

std::vector<double> class_totals(const ClassificationData& data, std::span<const float> weights) {
  std::vector<double> totals(data.class_names.size());
  for (std::size_t n = 0; n < data.labels.size(); ++n) {
    totals[static_cast<std::size_t>(data.labels[n])] +=
        weights.empty() ? 1.0 : static_cast<double>(weights[n]);
  }
  std::string present;
  std::size_t n_present = 0;
  for (std::size_t k = 0; k < totals.size(); ++k) {
    if (!(totals[k] > 0)) continue;
    present = data.class_names[k];
    ++n_present;
  }
  if (n_present < 2) {
    throw InputError(n_present == 0
                         ? "no row has a positive weight"
                         : "every row is of class '" + present + "': there must be at least two classes");
  }
  for (std::size_t k = 0; k < totals.size(); ++k) {
    if (!(totals[k] > 0)) throw InputError("class '" + data.class_names[k] + "' has no rows");
  }
  return totals;
}

std::vector<float> row_weights(const ClassificationData& data, const LinkgisticOptions& options) {
  std::vector<double> factor(data.class_names.size(), 1.0);
  std::vector<float> weights(data.weights.begin(), data.weights.end());
  if (options.balanced) {
    const std::vector<double> totals = class_totals(data, weights);
    double total = 0;
    for (const double t : totals) total += t;
    for (std::size_t k = 0; k < factor.size(); ++k) {
      factor[k] = total / (static_cast<double>(factor.size()) * totals[k]);
    }
  }
  for (std::size_t k = 0; k < factor.size(); ++k) {
    const auto it = options.class_weights.find(data.class_names[k]);
    if (it != options.class_weights.end()) factor[k] = it->second;
  }
  if (std::all_of(factor.begin(), factor.end(), [](double f) { return f == 1; })) return weights;
  if (weights.empty()) weights.assign(data.labels.size(), 1.0F);
  for (std::size_t n = 0; n < weights.size(); ++n) {
    weights[n] *= static_cast<float>(factor[static_cast<std::size_t>(data.labels[n])]);
  }
  return weights;
}

}  // namespace linkgistic

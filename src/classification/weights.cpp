#include "classification/weights.hpp"

#include <algorithm>
#include <string>

#include <linkgistic/error.hpp>

namespace linkgistic {

std::vector<double> class_totals(const ClassificationData& data, std::span<const float> weights) {
  std::vector<double> totals =
      total_sum(class_sums(data.labels, weights, 0, data.class_names.size()), data.class_names.size());
  check_totals(totals, data.class_names);
  return totals;
}

SumNodes class_sums(std::span<const std::int32_t> labels, std::span<const float> weights,
                    std::uint64_t first_row, std::size_t classes) {
  return sums_of_rows(
      labels.size(), first_row / sum_leaf_rows, classes, [&](std::size_t n, std::span<double> sum) {
        sum[static_cast<std::size_t>(labels[n])] += weights.empty() ? 1.0 : static_cast<double>(weights[n]);
      });
}

void check_totals(std::span<const double> totals, const std::vector<std::string>& class_names) {
  std::string present;
  std::size_t n_present = 0;
  for (std::size_t k = 0; k < totals.size(); ++k) {
    if (!(totals[k] > 0)) continue;
    present = class_names[k];
    ++n_present;
  }
  if (n_present < 2) {
    throw InputError(n_present == 0
                         ? "no row has a positive weight"
                         : "every row is of class '" + present + "': there must be at least two classes");
  }
  for (std::size_t k = 0; k < totals.size(); ++k) {
    if (!(totals[k] > 0)) throw InputError("class '" + class_names[k] + "' has no rows");
  }
}

std::vector<double> class_factors(const std::vector<std::string>& class_names, std::span<const double> totals,
                                  const LinkgisticOptions& options) {
  std::vector<double> factor(class_names.size(), 1.0);
  if (options.balanced) {
    double total = 0;
    for (const double t : totals) total += t;
    for (std::size_t k = 0; k < factor.size(); ++k)
      factor[k] = total / (static_cast<double>(factor.size()) * totals[k]);
  }
  for (std::size_t k = 0; k < factor.size(); ++k) {
    const auto it = options.class_weights.find(class_names[k]);
    if (it != options.class_weights.end()) factor[k] = it->second;
  }
  return factor;
}

void weigh_classes(std::span<const double> factor, std::span<const std::int32_t> labels,
                   std::vector<float>& weights) {
  if (std::all_of(factor.begin(), factor.end(), [](double f) { return f == 1; })) return;
  if (weights.empty()) weights.assign(labels.size(), 1.0F);
  for (std::size_t n = 0; n < weights.size(); ++n)
    weights[n] *= static_cast<float>(factor[static_cast<std::size_t>(labels[n])]);
}

std::vector<float> row_weights(const ClassificationData& data, const LinkgisticOptions& options) {
  std::vector<float> weights(data.weights.begin(), data.weights.end());
  std::vector<double> totals;
  if (options.balanced) totals = class_totals(data, weights);
  weigh_classes(class_factors(data.class_names, totals, options), data.labels, weights);
  return weights;
}

}  // namespace linkgistic

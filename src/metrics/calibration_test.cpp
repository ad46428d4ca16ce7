#include "metrics/calibration_test.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <linkgistic/error.hpp>

#include "numeric/parallel.hpp"
#include "numeric/pool_adjacent.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t most_entries = 400'000, most_rows = 20'000, least_rows = 2'000;

// The rows of the test, and for every class their groups of equal probability in increasing order.
class Forecasts {
 public:
  Forecasts(std::span<const double> probability, std::size_t classes, std::span<const double> weight,
            std::size_t rows)
      : classes_(classes) {
    const std::size_t all = probability.size() / classes;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t n = i * all / rows;
      if (!weight.empty() && !(weight[n] > 0)) continue;
      row_.push_back(n);
      weight_.push_back(weight.empty() ? 1.0 : weight[n]);
      p_.insert(p_.end(), &probability[n * classes], &probability[n * classes] + classes);
    }
    for (std::size_t k = first(); k < classes; ++k) groups_.push_back(grouped(k));
  }

  [[nodiscard]] const std::vector<std::size_t>& rows() const { return row_; }

  /// Summed over classes, (sum w (p - y)^2 - sum over pooled blocks W m (1 - m)) / sum w.
  [[nodiscard]] double mcb(const std::vector<std::size_t>& label) const {
    double sum = 0;
    for (std::size_t k = first(); k < classes_; ++k) {
      const Groups& groups = groups_[k - first()];
      std::vector<double> mean(groups.weight.size());
      for (std::size_t i = 0; i < label.size(); ++i) {
        const double y = label[i] == k ? 1.0 : 0.0, error = p_[i * classes_ + k] - y;
        sum += weight_[i] * error * error;
        mean[groups.of_row[i]] += weight_[i] * y;
      }
      for (std::size_t g = 0; g < mean.size(); ++g) mean[g] /= groups.weight[g];
      for (const PooledBlock& block : pool_adjacent(mean, groups.weight, 1))
        sum -= block.weight * block.mean * (1 - block.mean);
    }
    return sum / std::accumulate(weight_.begin(), weight_.end(), 0.0);
  }

  /// A label for every row, from its probabilities.
  [[nodiscard]] std::vector<std::size_t> drawn(RandomStream random) const {
    std::vector<std::size_t> label(row_.size());
    for (std::size_t i = 0; i < label.size(); ++i) {
      const double* p = &p_[i * classes_];
      double left = random.uniform() * std::accumulate(p, p + classes_, 0.0);
      while (label[i] + 1 < classes_ && left >= p[label[i]]) left -= p[label[i]++];
    }
    return label;
  }

 private:
  struct Groups {
    std::vector<std::size_t> of_row;
    std::vector<double> weight;
  };

  // The first of two classes has the errors of the second.
  [[nodiscard]] std::size_t first() const { return classes_ == 2 ? 1 : 0; }

  [[nodiscard]] Groups grouped(std::size_t k) const {
    const auto p = [&](std::size_t i) { return p_[i * classes_ + k]; };
    std::vector<std::size_t> order(row_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return p(a) < p(b); });
    Groups groups{std::vector<std::size_t>(order.size()), {}};
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || p(order[i]) != p(order[i - 1])) groups.weight.push_back(0);
      groups.of_row[order[i]] = groups.weight.size() - 1;
      groups.weight.back() += weight_[order[i]];
    }
    return groups;
  }

  std::size_t classes_;
  std::vector<std::size_t> row_;  // their places among all
  std::vector<double> weight_, p_;
  std::vector<Groups> groups_;
};

}  // namespace

CalibrationTest calibration_test(std::span<const double> probability, std::size_t classes,
                                 std::span<const std::int32_t> label, std::span<const double> weight,
                                 const CalibrationTestOptions& options) {
  if (classes < 2 || probability.size() != classes * label.size() ||
      (!weight.empty() && weight.size() != label.size()))
    throw InputError("calibration test: probabilities, labels and weights differ in length");
  const std::size_t most = std::clamp(most_entries / classes, least_rows, most_rows);
  const Forecasts forecasts(probability, classes, weight, std::min(most, label.size()));
  if (forecasts.rows().empty()) throw InputError("calibration test: no row has a positive weight");
  CalibrationTest test;
  test.rows = forecasts.rows().size();
  std::vector<std::size_t> observed;
  for (const std::size_t n : forecasts.rows()) observed.push_back(static_cast<std::size_t>(label[n]));
  test.mcb = forecasts.mcb(observed);
  std::vector<double> drawn(static_cast<std::size_t>(options.replicates));
  parallel_for(drawn.size(), options.threads, [&](std::size_t r) {
    drawn[r] = forecasts.mcb(forecasts.drawn(RandomStream(options.seed, r)));
  });
  const auto greater =
      static_cast<double>(std::count_if(drawn.begin(), drawn.end(), [&](double m) { return m >= test.mcb; }));
  test.as_great = greater / static_cast<double>(drawn.size());
  test.p_value = (1 + greater) / (1 + static_cast<double>(drawn.size()));
  return test;
}

}  // namespace linkgistic

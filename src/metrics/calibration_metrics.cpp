#include "metrics/calibration_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <linkgistic/error.hpp>

#include "metrics/smooth_ece.hpp"
#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"
#include "numeric/pool_adjacent.hpp"
#include "numeric/radix_sort.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t bins = 15;

struct Bin {
  double weight = 0;
  double p = 0;  // sum of w p
  double y = 0;  // sum of w y
};

double absolute_error(const std::array<Bin, bins>& all) {
  double sum = 0;
  for (const Bin& bin : all) sum += std::abs(bin.p - bin.y);
  return sum;
}

double debiased_error(const std::array<Bin, bins>& all, double total) {
  double sum = 0;
  for (const Bin& bin : all) {
    if (bin.weight <= 1) continue;
    const double y = bin.y / bin.weight;
    const double gap = (bin.p - bin.y) / bin.weight;
    sum += bin.weight * (gap * gap - y * (1 - y) / (bin.weight - 1));
  }
  return std::sqrt(std::max(0.0, sum / total));
}

/// x log loss, without 0 infinity.
double times(double weight, double loss) { return weight > 0 ? weight * loss : 0; }

/// Rows as groups of equal log odds in increasing order. After one sort every set of weights costs O(rows).
class SortedForecasts {
 public:
  SortedForecasts(std::span<const double> log_odds, std::span<const std::uint8_t> y)
      : y_(y), group_(log_odds.size()) {
    struct Item {
      std::uint64_t key;
      std::size_t row;
    };
    std::vector<Item> items(log_odds.size());
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = {ordered_key(log_odds[i]), i};
    radix_sort(items, 1);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i == 0 || items[i].key != items[i - 1].key) log_odds_.push_back(log_odds[items[i].row]);
      group_[items[i].row] = log_odds_.size() - 1;
    }
    for (const double nu : log_odds_) p_.push_back(sigmoid(nu));
  }

  /// weight_of(i) is the weight of row i.
  template <class Weight>
  [[nodiscard]] CalibrationMetrics metrics(Weight weight_of) const {
    std::vector<double> weight(p_.size()), positive(p_.size());
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double w = weight_of(i);
      weight[group_[i]] += w;
      if (y_[i] != 0) positive[group_[i]] += w;
    }
    return of_groups(weight, positive);
  }

 private:
  [[nodiscard]] CalibrationMetrics of_groups(const std::vector<double>& weight,
                                             const std::vector<double>& positive) const;

  std::span<const std::uint8_t> y_;
  std::vector<std::size_t> group_;  // of a row
  std::vector<double> log_odds_, p_;
};

CalibrationMetrics SortedForecasts::of_groups(const std::vector<double>& weight,
                                              const std::vector<double>& positive) const {
  double total = 0;
  double positives = 0;
  for (std::size_t g = 0; g < p_.size(); ++g) {
    total += weight[g];
    positives += positive[g];
  }
  CalibrationMetrics sum;
  std::array<Bin, bins> equal_width{}, equal_mass{};
  std::vector<double> residual(p_.size()), mean, mean_weight;
  mean.reserve(p_.size());
  mean_weight.reserve(p_.size());
  double before = 0;  // weight of the groups below, and of their negatives
  double negatives = 0;
  double pairs = 0;
  for (std::size_t g = 0; g < p_.size(); ++g) {
    const double w = weight[g];
    if (!(w > 0)) continue;
    const double p = p_[g];
    const double one = positive[g];
    const double zero = w - one;
    sum.log_loss += times(one, softplus(-log_odds_[g])) + times(zero, softplus(log_odds_[g]));
    sum.brier += one * (1 - p) * (1 - p) + zero * p * p;
    residual[g] = (one - w * p) / total;
    const double middle = (before + w / 2) / total;
    for (Bin* bin : {&equal_width[std::min(static_cast<std::size_t>(p * bins), bins - 1)],
                     &equal_mass[std::min(static_cast<std::size_t>(middle * bins), bins - 1)]}) {
      bin->weight += w;
      bin->p += w * p;
      bin->y += one;
    }
    pairs += one * (negatives + zero / 2);
    before += w;
    negatives += zero;
    mean.push_back(one / w);
    mean_weight.push_back(w);
  }
  double pooled = 0;  // total S_C: a block of mean m has sum of w (y - m)^2 = W m (1 - m)
  for (const PooledBlock& block : pool_adjacent(mean, mean_weight, 1))
    pooled += block.weight * block.mean * (1 - block.mean);
  const double rate = positives / total;
  CalibrationMetrics out;
  out.log_loss = sum.log_loss / total;
  out.brier = sum.brier / total;
  out.ece = absolute_error(equal_width) / total;
  out.ece_equal_mass = absolute_error(equal_mass) / total;
  out.ece_debiased = debiased_error(equal_mass, total);
  out.smooth_ece = linkgistic::smooth_ece(p_, residual);
  out.unc = rate * (1 - rate);
  out.mcb = out.brier - pooled / total;
  out.dsc = out.unc - pooled / total;
  out.auc = pairs / (positives * negatives);
  return out;
}

void check(std::span<const double> log_odds, std::span<const std::uint8_t> y,
           std::span<const double> weight) {
  if (y.size() != log_odds.size() || (!weight.empty() && weight.size() != y.size()))
    throw InputError("calibration metrics: log odds, y and weight differ in length");
  bool any = weight.empty() && !y.empty();
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::isnan(log_odds[i]))
      throw InputError("calibration metrics: the log odds of row " + std::to_string(i + 1) +
                       " are not a number");
    if (weight.empty()) continue;
    if (!(weight[i] >= 0) || std::isinf(weight[i]))
      throw InputError("calibration metrics: the weight of row " + std::to_string(i + 1) +
                       " is negative or not finite");
    any = any || weight[i] > 0;
  }
  if (!any) throw InputError("calibration metrics: no row has a positive weight");
}

}  // namespace

CalibrationMetrics calibration_metrics(std::span<const double> log_odds, std::span<const std::uint8_t> y,
                                       std::span<const double> weight) {
  check(log_odds, y, weight);
  return SortedForecasts(log_odds, y).metrics([weight](std::size_t i) {
    return weight.empty() ? 1.0 : weight[i];
  });
}

CalibrationEstimates calibration_estimates(std::span<const double> log_odds, std::span<const std::uint8_t> y,
                                           std::span<const double> weight, const BootstrapOptions& options) {
  if (options.replicates < 2)
    throw UsageError("replicates = " + std::to_string(options.replicates) + " must be at least 2");
  if (!(options.level > 0 && options.level < 1))
    throw UsageError("level = " + std::to_string(options.level) + " must be between 0 and 1");
  check(log_odds, y, weight);
  const SortedForecasts forecasts(log_odds, y);
  const auto weight_of = [weight](std::size_t i) { return weight.empty() ? 1.0 : weight[i]; };
  const CalibrationMetrics value = forecasts.metrics(weight_of);
  std::vector<CalibrationMetrics> replicates(static_cast<std::size_t>(options.replicates));
  parallel_for(replicates.size(), options.threads, [&](std::size_t r) {
    RandomStream random(options.seed, r);
    replicates[r] =
        forecasts.metrics([&](std::size_t i) { return weight_of(i) * poisson_count(random.uniform()); });
  });
  CalibrationEstimates out;
  const auto estimates = calibration_fields<Estimate>();
  const auto values = calibration_fields<double>();
  for (std::size_t m = 0; m < values.size(); ++m) {
    const auto field = values[m].second;
    std::vector<double> column;
    for (const CalibrationMetrics& replicate : replicates) column.push_back(replicate.*field);
    const bool bounded = field != &CalibrationMetrics::log_loss;
    out.*estimates[m].second = basic_interval(value.*field, std::move(column), options.level,
                                              bounded ? 1.0 : std::numeric_limits<double>::infinity());
  }
  return out;
}

}  // namespace linkgistic

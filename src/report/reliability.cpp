#include "report/reliability.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"
#include "numeric/pool_adjacent.hpp"
#include "numeric/quantile.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t rows_drawn_singly = 20'000;
constexpr std::size_t runs_beyond = 400;
constexpr double band_level = 0.9;
constexpr int histogram_bins = 30;

// Rows of like probability, as one: its weight, mean probability and label, and the variance of the sum w y.
struct Run {
  double weight = 0, p = 0, y = 0, variance = 0;
  std::size_t rows = 0;
};

std::vector<Run> sorted_runs(std::span<const double> log_odds, std::span<const std::uint8_t> y,
                             std::span<const double> weight) {
  std::vector<std::size_t> order(log_odds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return log_odds[a] < log_odds[b]; });
  const std::size_t runs = order.size() > rows_drawn_singly ? runs_beyond : order.size();
  std::vector<Run> result;
  for (std::size_t r = 0; r < runs; ++r) {
    Run run;
    for (std::size_t k = r * order.size() / runs; k < (r + 1) * order.size() / runs; ++k) {
      const std::size_t i = order[k];
      const double w = weight.empty() ? 1.0 : weight[i];
      const double p = sigmoid(log_odds[i]);
      run.weight += w;
      run.p += w * p;
      run.y += w * y[i];
      run.variance += w * w * p * (1 - p);
      ++run.rows;
    }
    if (!(run.weight > 0)) continue;
    run.p /= run.weight;
    run.y /= run.weight;
    result.push_back(run);
  }
  return result;
}

double draw(const Run& run, RandomStream& random) {
  if (run.rows == 1) return random.uniform() < run.p ? 1.0 : 0.0;
  return std::clamp(run.p + std::sqrt(run.variance) / run.weight * random.normal(), 0.0, 1.0);
}

}  // namespace

Reliability reliability(std::span<const double> log_odds, std::span<const std::uint8_t> y,
                        std::span<const double> weight, const ReliabilityOptions& options) {
  const std::vector<Run> runs = sorted_runs(log_odds, y, weight);
  std::vector<double> w, labels;
  Reliability result;
  for (const Run& run : runs) {
    w.push_back(run.weight);
    labels.push_back(run.y);
    result.p.push_back(run.p);
  }
  result.observed = pava(labels, w, 1);
  const auto replicates = static_cast<std::size_t>(options.replicates);
  std::vector<std::vector<double>> fits(replicates, std::vector<double>(runs.size()));
  parallel_for(replicates, 0, [&](std::size_t r) {
    RandomStream random(options.seed, r);
    std::vector<double>& fit = fits[r];
    for (std::size_t i = 0; i < runs.size(); ++i) fit[i] = draw(runs[i], random);
    pava(fit, w, fit, 1);
  });
  std::vector<double> at(replicates);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t r = 0; r < replicates; ++r) at[r] = fits[r][i];
    result.lower.push_back(quantile(at, (1 - band_level) / 2));
    result.upper.push_back(quantile(at, (1 + band_level) / 2));
  }
  return result;
}

Figure reliability_figure(const Reliability& r, std::span<const double> log_odds,
                          std::span<const double> weight, const ProbabilityBand& band) {
  Panel diagram;
  diagram.y_label = "share of label 1";
  diagram.x_range = diagram.y_range = Range{0, 1};
  diagram.layers.emplace_back(Band{"90 % if calibrated", r.p, r.lower, r.upper, Colour::reference, 0.25});
  if (!band.p.empty())
    diagram.layers.emplace_back(
        Band{"90 % of maps", band.p, band.lower, band.upper, Colour::secondary, 0.25});
  diagram.layers.emplace_back(Line{"", {0, 1}, {0, 1}, Colour::reference, 1, Dash::dashed});
  diagram.layers.emplace_back(Line{"isotonic fit", r.p, r.observed, Colour::primary, 1.8});
  Histogram bars;
  bars.x.resize(histogram_bins);
  bars.y.resize(histogram_bins);
  bars.width.assign(histogram_bins, 1.0 / histogram_bins);
  for (int b = 0; b < histogram_bins; ++b) bars.x[static_cast<std::size_t>(b)] = (b + 0.5) / histogram_bins;
  for (std::size_t i = 0; i < log_odds.size(); ++i) {
    const int b = std::min(static_cast<int>(sigmoid(log_odds[i]) * histogram_bins), histogram_bins - 1);
    bars.y[static_cast<std::size_t>(b)] += weight.empty() ? 1.0 : weight[i];
  }
  Panel histogram;
  histogram.x_label = "predicted probability";
  histogram.y_label = "rows";
  histogram.x_range = Range{0, 1};
  histogram.legend = Legend::none;
  histogram.layers.emplace_back(std::move(bars));
  return stacked({std::move(diagram), std::move(histogram)}, {4, 1}, 420);
}

}  // namespace linkgistic

#include "repro/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "repro/experiment.hpp"

namespace linkgistic::repro {

MeanError mean_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  MeanError result;
  for (const double value : values) result.mean += value / n;
  double square = 0;
  for (const double value : values) square += (value - result.mean) * (value - result.mean);
  if (values.size() > 1) result.error = std::sqrt(square / (n - 1) / n);
  return result;
}

MeanError paired(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
  return mean_error(difference);
}

// A positive's placement is the share of negatives below it, a negative's that of positives above it, ties
// counted half. Both have the area A as their mean; the variance is that of the two means.
Auc delong(std::span<const double> score, std::span<const std::uint8_t> y) {
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] < score[b]; });
  double count[2] = {0, 0};
  for (const std::uint8_t label : y) count[label != 0 ? 1 : 0] += 1;
  Auc result;
  result.row.resize(score.size());
  double below[2] = {0, 0};
  for (std::size_t first = 0; first < order.size();) {
    double tied[2] = {0, 0};
    std::size_t last = first;
    for (; last < order.size() && score[order[last]] == score[order[first]]; ++last)
      tied[y[order[last]] != 0 ? 1 : 0] += 1;
    for (std::size_t i = first; i < last; ++i) {
      const bool positive = y[order[i]] != 0;
      result.row[order[i]] =
          positive ? (below[0] + tied[0] / 2) / count[0] : (count[1] - below[1] - tied[1] / 2) / count[1];
      if (positive) result.value += result.row[order[i]] / count[1];
    }
    for (const int k : {0, 1}) below[k] += tied[k];
    first = last;
  }
  for (std::size_t i = 0; i < result.row.size(); ++i) {
    const double n = count[y[i] != 0 ? 1 : 0];
    result.row[i] = (result.row[i] - result.value) / std::sqrt(n * std::max(n - 1, 1.0));
  }
  return result;
}

Auc mean_auc(const std::vector<Auc>& areas) {
  const auto n = static_cast<double>(areas.size());
  Auc mean;
  mean.row.resize(areas.front().row.size());
  for (const Auc& one : areas) {
    mean.value += one.value / n;
    for (std::size_t i = 0; i < mean.row.size(); ++i) mean.row[i] += one.row[i] / n;
  }
  return mean;
}

MeanError error_of(const Auc& auc) {
  double square = 0;
  for (const double r : auc.row) square += r * r;
  return {auc.value, std::sqrt(square)};
}

MeanError difference(const Auc& a, const Auc& b) {
  Auc d{a.value - b.value, a.row};
  for (std::size_t i = 0; i < d.row.size(); ++i) d.row[i] -= b.row[i];
  return error_of(d);
}

Side side_of(const MeanError& difference) {
  if (!(difference.error > 0)) return Side::level;  // a single value says nothing
  if (difference.mean > 2 * difference.error) return Side::above;
  return difference.mean < -2 * difference.error ? Side::below : Side::level;
}

std::string with_error(const MeanError& value, int digits) {
  if (std::max(std::abs(value.mean), value.error) >= 1e5)
    return scientific(value.mean) + " \u00B1 " + scientific(value.error);
  return fixed(value.mean, digits) + " \u00B1 " + fixed(value.error, digits);
}

std::string gain_text(const MeanError& gain, int digits) {
  const Side side = side_of(gain);
  const char* word = side == Side::above ? "ahead" : side == Side::below ? "behind" : "level";
  return std::string(word) + " (" + with_error(gain, digits) + ")";
}

}  // namespace linkgistic::repro

// Scores with labels whose probabilities are known, for the tests of the calibrator.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include <linkgistic/calibrator.hpp>

#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

struct ScoredRows {
  std::vector<double> score;
  std::vector<std::uint8_t> label;
};

/// n scores from draw(random), label 1 with probability sigmoid(truth(score)).
inline ScoredRows scored_rows(
    std::size_t n, const std::function<double(double)>& truth, std::uint64_t seed = 1,
    const std::function<double(RandomStream&)>& draw = [](RandomStream& random) {
      return 2 * random.normal();
    }) {
  ScoredRows rows;
  RandomStream random(seed);
  for (std::size_t i = 0; i < n; ++i) {
    const double s = draw(random);
    rows.score.push_back(s);
    rows.label.push_back(random.uniform() < sigmoid(truth(s)) ? 1 : 0);
  }
  return rows;
}

/// A map that bends: steep in the middle, flat at the sides.
inline double bent(double s) { return 2 * std::tanh(s) + 0.3 * s - 0.5; }

inline FittedMonotoneCalibrator fit_scores(const ScoredRows& rows, CalibratorOptions options = {}) {
  options.threads = 1;
  return MonotoneCalibrator(options).fit(rows.score, rows.label);
}

inline std::vector<double> grid(double lower, double upper, int count) {
  std::vector<double> x;
  for (int i = 0; i < count; ++i) x.push_back(lower + (upper - lower) * i / (count - 1));
  return x;
}

inline double mean_log_loss(const std::vector<double>& log_odds, const std::vector<std::uint8_t>& label) {
  double sum = 0;
  for (std::size_t i = 0; i < label.size(); ++i) sum += softplus(label[i] == 1 ? -log_odds[i] : log_odds[i]);
  return sum / static_cast<double>(label.size());
}

}  // namespace linkgistic

// Scores that are there more than once: by their weight, by repetition, or but for rounding.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "calibration/calibration_rows.hpp"

namespace linkgistic {
namespace {

TEST(Calibrator, WeightTwoIsTheRowTwiceAndWeightZeroTheRowLeftOut) {
  const ScoredRows rows = scored_rows(300, bent, 2);
  ScoredRows repeated;
  std::vector<double> weight;
  for (std::size_t i = 0; i < rows.score.size(); ++i) {
    weight.push_back(static_cast<double>(i % 3));
    for (std::size_t k = 0; k < i % 3; ++k) {
      repeated.score.push_back(rows.score[i]);
      repeated.label.push_back(rows.label[i]);
    }
  }
  const auto weighted = MonotoneCalibrator().fit(rows.score, rows.label, weight);
  const auto plain = fit_scores(repeated);
  const std::vector<double> at = grid(-10, 10, 101);
  const CalibratedScores a = weighted.predict(at), b = plain.predict(at);
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_EQ(a.log_odds[i], b.log_odds[i]);
    EXPECT_EQ(a.lower[i], b.lower[i]);
  }
  EXPECT_EQ(weighted.summary().rows, 200U);
  EXPECT_EQ(weighted.summary().total_weight, 300);
}

TEST(Calibrator, ScoresThatDifferByRoundingAreTied) {
  ScoredRows rows = scored_rows(300, bent, 4);
  for (double& s : rows.score) s = std::round(10 * s) / 10;
  ScoredRows noisy = rows, apart = rows;
  RandomStream random(1);
  for (double& s : noisy.score) s *= 1 + 1e-15 * random.normal();
  for (double& s : apart.score) s *= 1 + 1e-6 * random.normal();
  const auto tied = fit_scores(rows), moved = fit_scores(noisy);
  EXPECT_EQ(moved.summary().distinct, tied.summary().distinct);
  EXPECT_GT(fit_scores(apart).summary().distinct, 2 * tied.summary().distinct);
  const std::vector<double> at = grid(-10, 10, 101);
  const std::vector<double> a = tied.log_odds(at), b = moved.log_odds(at);
  for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-8);
}

TEST(Calibrator, ProbabilitiesThatDifferByRoundingAreTied) {
  ScoredRows rows = scored_rows(300, bent, 4);
  for (double& s : rows.score) s = std::round(20 * sigmoid(s)) / 20;
  ScoredRows summed = rows;  // as a forest does it: votes added one by one
  for (double& s : summed.score) {
    double sum = 0;
    for (int votes = static_cast<int>(std::lround(20 * s)); votes > 0; --votes) sum += 0.05;
    s = std::min(sum, 1.0);
  }
  ASSERT_NE(summed.score, rows.score);
  std::vector<double> both = rows.score;
  both.insert(both.end(), summed.score.begin(), summed.score.end());
  std::vector<std::uint8_t> labels = rows.label;
  labels.insert(labels.end(), rows.label.begin(), rows.label.end());
  EXPECT_EQ(MonotoneCalibrator().fit(both, labels).summary().distinct, fit_scores(rows).summary().distinct);
}

}  // namespace
}  // namespace linkgistic

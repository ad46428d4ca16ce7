// Counts on the grid of score bits against the scores themselves.
#include "calibration/score_counts.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "calibration/fit.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// The log loss of the shares of positives in 1,000 groups of equal weight by rank.
double grouped_log_loss(const ScoreCounts& c) {
  constexpr std::size_t groups = 1000;
  double loss = 0, weight = 0, positive = 0, before = 0;
  std::size_t group = 0;
  const auto close = [&] {
    const double p = positive / weight;
    if (positive > 0) loss -= positive * std::log(p);
    if (positive < weight) loss -= (weight - positive) * std::log1p(-p);
    weight = positive = 0;
  };
  for (std::size_t i = 0; i < c.size(); ++i) {
    const auto next = static_cast<std::size_t>(before / c.total * groups);
    if (next != group && weight > 0) close();
    group = next;
    weight += c.weight(i);
    positive += c.positive[i];
    before += c.weight(i);
  }
  close();
  return loss / c.total;
}

// All bits of all scores.
std::unique_ptr<ScoreEngine> exact_engine(const LabelledScores& rows, int threads) {
  class Exact final : public ScoreEngine {
   public:
    explicit Exact(std::unique_ptr<ScoreEngine> engine) : engine_(std::move(engine)) {}
    ScoreCheckAnswer ask(const ScoreCheckRequest& request) override { return engine_->ask(request); }
    CountsAnswer ask(const CountsRequest&) override { return engine_->ask(CountsRequest{}); }

   private:
    std::unique_ptr<ScoreEngine> engine_;
  };
  return std::make_unique<Exact>(make_score_engine(rows, threads));
}

// The mean log loss of a calibrator on some 100,000 of its rows.
double calibrated_log_loss(ScoreEngine& engine, const LabelledScores& rows) {
  CalibratorOptions options;
  options.harmonics = 4;
  options.score_kind = ScoreKind::decision;
  const FittedMonotoneCalibrator fit = fit_calibrator(options, {}, engine);
  std::vector<double> scores, sign;
  const std::size_t step = rows.scores.size() / 100'000;
  for (std::size_t n = 0; n < rows.scores.size(); n += step) {
    scores.push_back(rows.scores[n]);
    sign.push_back(rows.labels[n] == 1 ? 1 : -1);
  }
  const std::vector<double> x = fit.log_odds(scores);
  double loss = 0;
  for (std::size_t n = 0; n < x.size(); ++n) loss += softplus(-sign[n] * x[n]);
  return loss / static_cast<double>(x.size());
}

void expect_equal_to_the_sort(std::size_t rows, double offset) {
  RandomStream random(6);
  std::vector<double> scores;
  std::vector<std::uint8_t> labels;
  for (std::size_t n = 0; n < rows; ++n) {
    const double s = random.normal();
    scores.push_back(offset + s);
    labels.push_back(random.uniform() < sigmoid(2 * s) ? 1 : 0);
  }
  const LabelledScores all{scores, labels, {}};
  const ScoreCounts grid = count_scores(*make_score_engine(all, 2), ScoreKind::decision);
  const ScoreCounts exact = count_scores(*exact_engine(all, 2), ScoreKind::decision);
  EXPECT_LE(grid.size(), std::size_t{1} << 20);
  EXPECT_EQ(grid.rows, exact.rows);
  EXPECT_EQ(grid.total, exact.total);
  EXPECT_NEAR(grouped_log_loss(grid), grouped_log_loss(exact), 1e-6);
  const double by_counts = calibrated_log_loss(*make_score_engine(all, 2), all);
  EXPECT_NEAR(by_counts, calibrated_log_loss(*exact_engine(all, 2), all), 1e-6);
  EXPECT_LT(by_counts, 0.5);  // of chance it would be log 2
}

TEST(ScoreCounts, OfManyScoresEqualTheSort) {
  expect_equal_to_the_sort(1'300'000, 0);
  expect_equal_to_the_sort(1'300'000, 1e6);
}
TEST(LongScoreCounts, OfTenMillionScoresEqualTheSort) {
  expect_equal_to_the_sort(10'000'000, 0);
  expect_equal_to_the_sort(10'000'000, 1e6);
}

TEST(ScoreCounts, AreTheSameForAnyPartition) {
  RandomStream random(2);
  std::vector<double> scores, weights;
  std::vector<std::uint8_t> labels;
  for (std::size_t n = 0; n < 30'000; ++n) {
    scores.push_back(random.normal());
    weights.push_back(random.uniform());
    labels.push_back(random.uniform() < 0.5 ? 1 : 0);
  }
  const LabelledScores all{scores, labels, weights};
  const ScoreCounts whole = count_scores(*make_score_engine(all, 2), ScoreKind::automatic);
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const auto engine =
        make_partitioned_score_engine(all, {random.below(30'000), random.below(30'000)}, trial);
    const ScoreCounts cut = count_scores(*engine, ScoreKind::automatic);
    EXPECT_EQ(cut.value, whole.value);
    EXPECT_EQ(cut.negative, whole.negative);
    EXPECT_EQ(cut.positive, whole.positive);
  }
}

}  // namespace
}  // namespace linkgistic

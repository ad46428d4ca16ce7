// What the calibrator promises, whatever the scores.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "calibration/calibration_rows.hpp"

namespace linkgistic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Pairs a relative 1e-9 of the range apart, everywhere in [lower, upper].
void expect_strictly_increasing(const FittedMonotoneCalibrator& fitted, double lower, double upper,
                                const std::vector<double>& more = {}) {
  const double step = 1e-9 * (upper - lower);
  std::vector<double> places = grid(lower, upper, 2001);
  places.insert(places.end(), more.begin(), more.end());
  std::vector<double> pairs;
  for (const double s : places) {
    for (const int k : {-1, 0, 1}) pairs.push_back(s + k * step);
  }
  const CalibratedScores p = fitted.predict(pairs);
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (const std::size_t k : {3 * i, 3 * i + 1}) {
      ASSERT_LT(p.log_odds[k], p.log_odds[k + 1]) << "at " << pairs[k];
      ASSERT_LE(p.probability[k], p.probability[k + 1]) << "at " << pairs[k];
    }
  }
}

TEST(Calibrator, LogOddsStrictlyIncreaseOnScoresThatAreNearlyEqual) {
  for (const std::size_t n : {2U, 3U, 50U, 400U, 5000U}) {
    const ScoredRows rows = scored_rows(n, bent, n);
    const auto fitted = fit_scores(rows);
    expect_strictly_increasing(fitted, -9, 9, rows.score);
  }
}

TEST(Calibrator, LogOddsStrictlyIncreaseWhereLabelsAreNoiseOrDecrease) {
  const ScoredRows noise = scored_rows(20000, [](double) { return 0.3; });
  expect_strictly_increasing(fit_scores(noise), -9, 9);
  const ScoredRows decreasing = scored_rows(2000, [](double s) { return -s; });
  expect_strictly_increasing(fit_scores(decreasing), -9, 9);
}

TEST(Calibrator, WarnsOfScoresThatAreLowerWhereTheLabelIsPositive) {
  const auto warned = [](const ScoredRows& rows, PriorKind prior = PriorKind::offset) {
    const auto words = fit_scores(rows, {.prior = prior}).summary().warnings;
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word.find("the scores are lower where the label is positive (area under the curve 0.") == 0;
    });
  };
  ScoredRows rows = scored_rows(300, [](double s) { return -s; });
  EXPECT_TRUE(warned(rows));
  EXPECT_FALSE(warned(rows, PriorKind::gp));
  for (auto& label : rows.label) label = static_cast<std::uint8_t>(1 - label);
  EXPECT_FALSE(warned(rows));
  EXPECT_FALSE(warned(scored_rows(300, [](double) { return 0.3; })));
}

TEST(Calibrator, LogOddsStrictlyIncreaseUnderStepsAndHeavyTails) {
  const ScoredRows steps = scored_rows(3000, [](double s) { return s > 0.5 ? 4.0 : -4.0; });
  expect_strictly_increasing(fit_scores(steps), -9, 9);
  const ScoredRows heavy = scored_rows(
      2000, [](double s) { return std::asinh(s); }, 5,
      [](RandomStream& r) { return std::tan(3.1 * (r.uniform() - 0.5)); });
  const auto [low, high] = std::minmax_element(heavy.score.begin(), heavy.score.end());
  expect_strictly_increasing(fit_scores(heavy), *low, *high, {*low, *high, 2 * *low, 2 * *high});
  expect_strictly_increasing(fit_scores(scored_rows(1000, bent), {.prior = PriorKind::isgp}), -9, 9);
}

TEST(Calibrator, OrderOfAllScoresIsKept) {
  const ScoredRows rows = scored_rows(500, bent, 3);
  const auto fitted = fit_scores(rows);
  std::vector<double> s = scored_rows(20000, bent, 4, [](RandomStream& r) { return 30 * r.normal(); }).score;
  std::sort(s.begin(), s.end());
  const CalibratedScores p = fitted.predict(s);
  EXPECT_TRUE(std::is_sorted(p.log_odds.begin(), p.log_odds.end(), std::less_equal<>()));
  EXPECT_TRUE(std::is_sorted(p.probability.begin(), p.probability.end()));
}

TEST(Calibrator, ProbabilitiesLieInsideTheirBandsAndNeverAreZeroOrOne) {
  const auto fitted = fit_scores(scored_rows(2000, [](double s) { return 20 * s; }));
  const std::vector<double> s{-infinity, -1e300, -1e9, -50, -3, 0, 3, 50, 1e9, 1e300, infinity};
  const CalibratedScores p = fitted.predict(s, 0.99);
  for (std::size_t i = 0; i < s.size(); ++i) {
    EXPECT_GT(p.lower[i], 0);
    EXPECT_LE(p.lower[i], p.probability[i]);
    EXPECT_LE(p.probability[i], p.upper[i]);
    EXPECT_LT(p.upper[i], 1);
    EXPECT_TRUE(std::isfinite(p.log_odds[i])) << s[i];
    if (i > 0) {
      EXPECT_LE(p.log_odds[i - 1], p.log_odds[i]) << s[i];
    }
  }
}

TEST(Calibrator, MirroredRowsGiveTheMirroredMapBitForBit) {
  for (const std::size_t n : {2U, 37U, 500U, 3000U}) {
    ScoredRows rows = scored_rows(n, bent, 10 + n);
    rows.score[0] = 0;
    ScoredRows mirrored = rows;
    for (double& s : mirrored.score) s = -s;
    for (std::uint8_t& y : mirrored.label) y = y == 1 ? 0 : 1;
    std::vector<double> at = grid(-12, 12, 301);
    const CalibratedScores p = fit_scores(rows, {.score_kind = ScoreKind::decision}).predict(at);
    for (double& s : at) s = -s;
    const CalibratedScores m = fit_scores(mirrored, {.score_kind = ScoreKind::decision}).predict(at);
    for (std::size_t i = 0; i < at.size(); ++i) {
      ASSERT_EQ(p.log_odds[i], -m.log_odds[i]) << at[i];
      ASSERT_NEAR(p.probability[i], 1 - m.probability[i], 1e-15);
      ASSERT_NEAR(p.lower[i], 1 - m.upper[i], 1e-15);
    }
  }
}

TEST(Calibrator, RowsThatAreTheirOwnMirrorImageGiveAnOddMap) {
  ScoredRows rows = scored_rows(300, bent, 6);
  for (std::size_t i = 0; i < 300; ++i) {
    rows.score.push_back(-rows.score[i]);
    rows.label.push_back(rows.label[i] == 1 ? 0 : 1);
  }
  const std::vector<double> at = grid(0, 9, 101), back = grid(0, -9, 101);
  const auto fitted = fit_scores(rows);
  const std::vector<double> p = fitted.log_odds(at), m = fitted.log_odds(back);
  for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(p[i], -m[i], 1e-9 * (1 + std::abs(p[i])));
}

TEST(Calibrator, MirroredProbabilitiesGiveTheMirroredMap) {
  ScoredRows rows = scored_rows(200, bent, 8);
  for (double& s : rows.score) s = std::round(sigmoid(s) * 64) / 64;  // 1 - p is exact
  ScoredRows mirrored = rows;
  for (double& s : mirrored.score) s = 1 - s;
  for (std::uint8_t& y : mirrored.label) y = y == 1 ? 0 : 1;
  const auto fitted = fit_scores(rows), turned = fit_scores(mirrored);
  EXPECT_EQ(fitted.summary().score_kind, ScoreKind::probability);
  for (const double p : {0.0, 0.125, 0.5, 0.75, 1.0}) {
    const double at[] = {p}, back[] = {1 - p};
    EXPECT_NEAR(fitted.log_odds(at)[0], -turned.log_odds(back)[0], 1e-8);
  }
}

TEST(Calibrator, TheOrderOfRowsAndTheNumberOfThreadsChangeNothing) {
  ScoredRows rows = scored_rows(20000, bent, 2);
  for (double& s : rows.score) s = std::round(50 * s) / 50;  // ties
  const std::vector<double> at = grid(-10, 10, 101);
  const std::vector<double> before = fit_scores(rows).log_odds(at);
  std::reverse(rows.score.begin(), rows.score.end());
  std::reverse(rows.label.begin(), rows.label.end());
  EXPECT_EQ(MonotoneCalibrator({.threads = 2}).fit(rows.score, rows.label).log_odds(at), before);
}

TEST(Calibrator, ScoresOfAnySizeAreAnswered) {
  const ScoredRows rows = scored_rows(400, bent, 9);
  const std::vector<double> at = grid(-6, 6, 25);
  for (const double unit : {1e-300, 1e-9, 1e9, 1e300}) {
    ScoredRows scaled = rows;
    for (double& s : scaled.score) s *= unit;
    std::vector<double> there = at;
    for (double& s : there) s *= unit;
    const std::vector<double> l = fit_scores(scaled).log_odds(there);
    for (std::size_t i = 0; i < at.size(); ++i) {
      EXPECT_NEAR(sigmoid(l[i]), sigmoid(bent(at[i])), 0.15) << unit << " " << at[i];
    }
  }
}

// Next to 1e308 the others were once one and the same, and the sampler found a density of 0.
TEST(Calibrator, AScoreTooFarFromTheOthersIsNamed) {
  for (const double far : {1e308, -1e308}) {
    ScoredRows rows = scored_rows(40, bent, 3);
    rows.score[7] = far;
    try {
      (void)fit_scores(rows);
      ADD_FAILURE() << far;
    } catch (const InputError& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find(far > 0 ? "the score 1e+308 is too far" : "the score -1e+308 is too far"),
                std::string::npos)
          << said;
    }
  }
}

TEST(Calibrator, AScoreFarFromTheOthersLeavesThemAMap) {
  ScoredRows rows = scored_rows(400, bent, 9);
  rows.score.push_back(1e290);
  rows.label.push_back(1);
  const std::vector<double> at = grid(-6, 6, 25);
  const std::vector<double> l = fit_scores(rows).log_odds(at);
  // As far as ScoresOfAnySizeAreAnswered allows the same rows without it.
  for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(sigmoid(l[i]), sigmoid(bent(at[i])), 0.15) << at[i];
}

TEST(Calibrator, InfiniteScoresAreTheGreatestAndMeanWhatTheirLabelsSay) {
  // Half of the rows at +inf are negative.
  ScoredRows rows = scored_rows(
      400, [](double s) { return 2 * s; }, 3);
  for (int i = 0; i < 200; ++i) {
    rows.score.push_back(infinity);
    rows.label.push_back(i % 2 == 0 ? 1 : 0);
  }
  const auto fitted = fit_scores(rows);
  const std::vector<double> s{-infinity, 0, 5, 7, 100, 1e200, infinity};
  const CalibratedScores p = fitted.predict(s);
  EXPECT_TRUE(std::is_sorted(p.log_odds.begin(), p.log_odds.end()));
  EXPECT_GT(p.log_odds[5], p.log_odds[4]);
  EXPECT_LT(p.probability[6], 0.9);
  EXPECT_GT(p.probability[6], 0.5);
}

TEST(Calibrator, ProbabilitiesZeroAndOneAreScoresLikeOthers) {
  ScoredRows rows = scored_rows(
      500, [](double s) { return s; }, 3);
  for (std::size_t i = 0; i < rows.score.size(); ++i) {
    rows.score[i] = i % 10 == 0 ? 0.0 : i % 10 == 1 ? 1.0 : sigmoid(rows.score[i]);
  }
  const auto fitted = fit_scores(rows);
  const std::vector<double> s{0, 1e-300, 1e-20, 1e-13, 1e-12, 1e-3, 0.5, 0.999, 1 - 1e-13, 1 - 1e-16, 1};
  const CalibratedScores p = fitted.predict(s);
  for (std::size_t i = 1; i < s.size(); ++i) EXPECT_LT(p.log_odds[i - 1], p.log_odds[i]) << s[i];
  EXPECT_GT(p.probability.front(), 0.02);  // a third of those rows are positive
  EXPECT_LT(p.probability.back(), 0.98);
  const std::vector<double> claimed = fitted.uncalibrated(s);
  EXPECT_NEAR(claimed[5], std::log(1e-3 / 0.999), 1e-12);
  EXPECT_TRUE(std::isfinite(claimed.front()) && std::isfinite(claimed.back()));
}

TEST(Calibrator, OneClassOneScoreAndTwoRowsAreAnswered) {
  const std::vector<double> at{-3, 0, 1, 4};
  ScoredRows rows = scored_rows(100, bent);
  std::fill(rows.label.begin(), rows.label.end(), std::uint8_t{1});
  const auto positive = fit_scores(rows);
  EXPECT_FALSE(positive.summary().warnings.empty());
  for (const double p : positive.predict(at).probability) EXPECT_GT(p, 0.6);

  const ScoredRows constant{std::vector<double>(40, 1.0), std::vector<std::uint8_t>(40, 0)};
  ScoredRows mixed = constant;
  for (std::size_t i = 0; i < 30; ++i) mixed.label[i] = 1;
  const CalibratedScores p =
      fit_scores(mixed, {.score_kind = ScoreKind::decision}).predict(std::vector<double>{1});
  EXPECT_NEAR(p.probability[0], 0.75, 0.02);
  EXPECT_LT(p.lower[0], 0.7);
  EXPECT_GT(p.upper[0], 0.8);

  const auto two = fit_scores({{-1, 1}, {0, 1}});
  EXPECT_LT(two.predict(at).probability[0], 0.5);
  EXPECT_GT(two.predict(at).probability[3], 0.5);
  const auto one = fit_scores({{2.5}, {1}});
  EXPECT_TRUE(std::isfinite(one.predict(at).log_odds[0]));
}

TEST(Calibrator, FewAtomsGetTheirOwnProbabilities) {
  ScoredRows rows;
  const double share[] = {0.1, 0.12, 0.7, 0.75};
  for (std::size_t i = 0; i < 8000; ++i) {
    rows.score.push_back(static_cast<double>(i % 4));
    const std::size_t among_equals = i / 4;
    rows.label.push_back(static_cast<double>(among_equals) < 2000 * share[i % 4] ? 1 : 0);
  }
  const CalibratedScores p = fit_scores(rows).predict(std::vector<double>{0, 1, 2, 3});
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(p.probability[k], share[k], 0.02) << k;
}

TEST(Calibrator, BendsToTheTruthAsRowsGrowMany) {
  const ScoredRows rows = scored_rows(200000, bent, 12);
  const std::vector<double> at = grid(-4, 4, 81);
  const CalibratedScores p = fit_scores(rows).predict(at);
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_NEAR(p.probability[i], sigmoid(bent(at[i])), 0.015) << at[i];
    EXPECT_LT(p.upper[i] - p.lower[i], 0.05);
  }
}

TEST(Calibrator, ScoresThatAreNoNumbersAndBadRowsAreRefusedWithTheirRow) {
  const auto refused = [](std::vector<double> s, std::vector<std::uint8_t> y, std::vector<double> w,
                          const std::string& words, const CalibratorOptions& options = {}) {
    try {
      (void)MonotoneCalibrator(options).fit(s, y, w);
      FAIL() << words;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused({1, nan}, {0, 1}, {}, "row 2");
  refused({1, 2}, {0, 2}, {}, "label of row 2");
  refused({1, 2}, {0, 1}, {1, -1}, "weight of row 2");
  refused({1, 2}, {0, 1}, {0, 0}, "positive weight");
  refused({1, 2}, {0}, {}, "1 labels for 2 scores");
  refused({}, {}, {}, "no rows");
  refused({0.5, 1.5}, {0, 1}, {}, "row 2", {.score_kind = ScoreKind::probability});
  EXPECT_THROW(MonotoneCalibrator({.harmonics = 0}), UsageError);
  const auto fitted = fit_scores(scored_rows(50, bent));
  EXPECT_THROW((void)fitted.predict(std::vector<double>{1, nan}), InputError);
  EXPECT_THROW((void)fitted.predict(std::vector<double>{1}, 1.5), UsageError);
}

TEST(Calibrator, BeyondTheTrainingScoresLogOddsGoOnWithTheSlopeOfTheEdge) {
  const ScoredRows rows = scored_rows(1000, bent, 21);
  const auto fitted = fit_scores(rows);
  const double edge = *std::max_element(rows.score.begin(), rows.score.end());
  const double h = 1e-6;
  const std::vector<double> l = fitted.log_odds(std::vector<double>{edge - h, edge, edge + h});
  EXPECT_NEAR(l[2] - l[1], l[1] - l[0], 0.05 * (l[1] - l[0]));
  // Far outside they grow like the logarithm of the score.
  const std::vector<double> far = fitted.log_odds(std::vector<double>{1e6, 1e12});
  EXPECT_GT(far[1], far[0]);
  EXPECT_LT(far[1], 4 * far[0]);
}

TEST(Calibrator, ScoresThatAreRightAlreadyAreLeftNearlyAlone) {
  // Log odds of a calibrated classifier, few rows: the claim has most of the weight.
  double claimed = 0, error = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ScoredRows rows = scored_rows(
        100, [](double s) { return s; }, seed);
    const auto fitted = fit_scores(rows, {.score_kind = ScoreKind::log_odds});
    claimed += fitted.summary().claimed / 20;
    const std::vector<double> at = grid(-4, 4, 33);
    const std::vector<double> l = fitted.log_odds(at);
    for (std::size_t i = 0; i < at.size(); ++i) error += std::abs(sigmoid(l[i]) - sigmoid(at[i])) / (20 * 33);
    const ScoredRows wrong = scored_rows(
        400, [](double s) { return 0.3 * s; }, seed);
    without += fit_scores(wrong, {.score_kind = ScoreKind::log_odds}).summary().claimed / 20;
  }
  EXPECT_GT(claimed, 0.6);
  EXPECT_LT(error, 0.03);
  EXPECT_LT(without, 0.01);
}

TEST(Calibrator, AGaussianProcessBendsBackAndIsSuggestedWhereItIsMuchBetter) {
  const auto hill = [](double s) { return 3 - s * s; };
  const ScoredRows rows = scored_rows(3000, hill, 17);
  const auto monotone = fit_scores(rows);
  ASSERT_TRUE(monotone.summary().gp_log_evidence.has_value());
  EXPECT_FALSE(monotone.summary().warnings.empty());
  const auto free = fit_scores(rows, {.prior = PriorKind::gp});
  const std::vector<double> l = free.log_odds(std::vector<double>{-3, 0, 3});
  EXPECT_GT(l[1], l[0]);
  EXPECT_GT(l[1], l[2]);
  EXPECT_TRUE(fit_scores(scored_rows(3000, bent, 17)).summary().warnings.empty());
}

TEST(Calibrator, AnyProperLossMayCarryTheSource) {
  const ScoredRows rows = scored_rows(3000, bent, 18);
  for (const char* loss : {"matsushita", "square", "alpha=0.5"}) {
    CalibratorOptions options;
    options.loss = loss;
    const auto fitted = fit_scores(rows, options);
    const std::vector<double> at = grid(-4, 4, 17);
    const CalibratedScores p = fitted.predict(at);
    for (std::size_t i = 0; i < at.size(); ++i) {
      EXPECT_NEAR(p.probability[i], sigmoid(bent(at[i])), 0.07) << loss << " " << at[i];
      if (i > 0) {
        EXPECT_LT(p.log_odds[i - 1], p.log_odds[i]) << loss;
      }
    }
  }
  CalibratorOptions bounded;
  bounded.loss = "square,tail=0";
  EXPECT_THROW(MonotoneCalibrator{bounded}, UsageError);
}

TEST(LongCalibrator, TenMillionRowsAreLinearWork) {
  const ScoredRows rows = scored_rows(10'000'000, bent, 30);
  const auto fitted = fit_scores(rows);
  EXPECT_EQ(fitted.summary().rows, 10'000'000U);
  EXPECT_LT(fitted.summary().seconds, 60);
  for (const double s : {-2.0, 0.0, 2.0}) {
    const double at[] = {s};
    EXPECT_NEAR(fitted.predict(at).probability[0], sigmoid(bent(s)), 0.005);
  }
}

}  // namespace
}  // namespace linkgistic

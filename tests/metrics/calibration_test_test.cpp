// The test of calibration: its statistic is the MCB of the metrics, its p values are even where the
// probabilities are right, and it finds those that are not.
#include "metrics/calibration_test.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "metrics/calibration_metrics.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> probability;  // (N, C)
  std::vector<std::int32_t> label;
};

// Labels drawn from probabilities; what is predicted has its log odds (of two classes) times `sharper`.
Rows drawn(std::size_t rows, std::size_t classes, std::uint64_t seed, double sharper = 1) {
  RandomStream random(seed, 7);
  Rows result;
  for (std::size_t n = 0; n < rows; ++n) {
    std::vector<double> score(classes), told(classes);
    double sum = 0, told_sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double s = 1.5 * random.normal();
      sum += score[k] = std::exp(s);
      told_sum += told[k] = std::exp(sharper * s);
    }
    double u = random.uniform() * sum;
    std::int32_t label = 0;
    while (label + 1 < static_cast<std::int32_t>(classes) && u > score[static_cast<std::size_t>(label)])
      u -= score[static_cast<std::size_t>(label++)];
    for (const double t : told) result.probability.push_back(t / told_sum);
    result.label.push_back(label);
  }
  return result;
}

TEST(CalibrationTest, HasTheMiscalibrationOfTheMetrics) {
  const Rows rows = drawn(500, 2, 1, 1.5);
  std::vector<double> log_odds, weight;
  std::vector<std::uint8_t> y;
  for (std::size_t n = 0; n < rows.label.size(); ++n) {
    const double p = rows.probability[2 * n + 1];
    log_odds.push_back(std::log(p) - std::log1p(-p));
    y.push_back(static_cast<std::uint8_t>(rows.label[n]));
    weight.push_back(n % 3 == 0 ? 0 : 1 + static_cast<double>(n % 5));
  }
  EXPECT_NEAR(calibration_test(rows.probability, 2, rows.label).mcb, calibration_metrics(log_odds, y).mcb,
              1e-12);
  const CalibrationTest weighted = calibration_test(rows.probability, 2, rows.label, weight);
  EXPECT_NEAR(weighted.mcb, calibration_metrics(log_odds, y, weight).mcb, 1e-12);
  EXPECT_EQ(weighted.rows, 333U);
}

// 200 data sets: a share at or below a level has the standard deviation sqrt(a (1 - a) / 200); four of them.
TEST(CalibrationTest, HasEvenPValuesWhereTheProbabilitiesAreRight) {
  for (const std::size_t classes : {2U, 4U}) {
    std::vector<double> p;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Rows rows = drawn(150, classes, seed);
      p.push_back(calibration_test(rows.probability, classes, rows.label, {}, {.replicates = 99}).p_value);
    }
    for (const double level : {0.05, 0.25, 0.5, 0.75}) {
      double below = 0;
      for (const double value : p) below += value <= level ? 1 : 0;
      EXPECT_NEAR(below / 200, level, 4 * std::sqrt(level * (1 - level) / 200)) << classes << " " << level;
    }
  }
}

TEST(CalibrationTest, RefusesProbabilitiesThatAreTooSure) {
  for (const std::size_t classes : {2U, 3U}) {
    const Rows rows = drawn(1000, classes, 3, 2);
    EXPECT_EQ(calibration_test(rows.probability, classes, rows.label).p_value, 1.0 / 200);
  }
}

TEST(CalibrationTest, DoesNotDependOnThreads) {
  const Rows rows = drawn(300, 3, 4, 1.1);
  const auto p = [&](int threads) {
    return calibration_test(rows.probability, 3, rows.label, {}, {.threads = threads}).p_value;
  };
  EXPECT_EQ(p(1), p(3));
}

TEST(CalibrationTest, RefusesWhatDoesNotFit) {
  const std::vector<double> p = {0.5, 0.5}, zero = {0};
  const std::vector<std::int32_t> one = {1}, two = {0, 1};
  EXPECT_THROW((void)calibration_test(p, 2, two), InputError);
  EXPECT_THROW((void)calibration_test(p, 2, one, zero), InputError);
}

}  // namespace
}  // namespace linkgistic

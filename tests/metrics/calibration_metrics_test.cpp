// The calibration metrics against other packages (values made by tests/reference/calibration_metrics.py),
// against sums over rows, and their invariants.
#include "metrics/calibration_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> log_odds;
  std::vector<std::uint8_t> y;
  std::vector<double> weight;
};

double chance(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

/// The rows of the reference script: 61 distinct log odds.
Rows tied_rows() {
  Rows rows;
  for (int i = 0; i < 400; ++i) {
    rows.log_odds.push_back(std::nearbyint(30 * std::sin(1.7 * i)) / 10);
    rows.y.push_back((i * 7919) % 101 < 101 * chance(0.6 * rows.log_odds.back() + 0.3));
    rows.weight.push_back(1 + i % 3);
  }
  return rows;
}

Rows distinct_rows() {
  Rows rows;
  for (int i = 0; i < 390; ++i) {
    const double p = 0.0005 + i * 0.999 / 389;
    rows.log_odds.push_back(std::log(p / (1 - p)));
    rows.y.push_back((i * 7919) % 101 < 101 * p * p);
  }
  return rows;
}

/// Log odds N(0, 2), y with probability sigmoid(slope * log odds).
Rows random_rows(std::size_t n, double slope, std::uint64_t seed) {
  RandomStream random(seed);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.log_odds.push_back(2 * random.normal());
    rows.y.push_back(random.uniform() < chance(slope * rows.log_odds.back()));
  }
  return rows;
}

/// E(s) of the smooth calibration error by its definition: a sum over rows and images of the kernel.
double brute_smooth_error(const Rows& rows, double s) {
  constexpr int points = 4000;
  double integral = 0;
  for (int j = 0; j < points; ++j) {
    const double t = (j + 0.5) / points;
    double sum = 0;
    for (std::size_t i = 0; i < rows.y.size(); ++i) {
      const double p = chance(rows.log_odds[i]);
      double kernel = 0;
      for (int image = -3; image <= 3; ++image)
        for (const double place : {2 * image + p, 2 * image - p})
          kernel += std::exp(-(t - place) * (t - place) / (2 * s * s));
      sum += rows.weight[i] * (rows.y[i] - p) * kernel;
    }
    integral += std::abs(sum) / (s * std::sqrt(2 * std::numbers::pi));
  }
  return integral / points / std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0);
}

TEST(CalibrationMetrics, AreThoseOfScikitLearnOnTiedWeightedRows) {
  const Rows rows = tied_rows();
  const CalibrationMetrics m = calibration_metrics(rows.log_odds, rows.y, rows.weight);
  EXPECT_NEAR(m.log_loss, 0.5330251261866392, 1e-14);
  EXPECT_NEAR(m.brier, 0.15709160906490097, 1e-14);
  EXPECT_NEAR(m.auc, 0.8134724481040864, 1e-14);
  EXPECT_NEAR(m.mcb, 0.022345112534412487, 1e-14);
  EXPECT_NEAR(m.dsc, 0.10989284457330051, 1e-14);
  EXPECT_NEAR(m.unc, 0.244639341103789, 1e-14);
  EXPECT_NEAR(m.brier, m.mcb - m.dsc + m.unc, 1e-15);
}

TEST(CalibrationMetrics, AreThoseOfTheCalibrationPackages) {
  const Rows tied = tied_rows();
  const CalibrationMetrics a = calibration_metrics(tied.log_odds, tied.y, tied.weight);
  EXPECT_NEAR(a.ece, 0.15266278007888354, 1e-14);
  EXPECT_NEAR(a.smooth_ece, 0.09233019083152129, 1e-3);  // the package halves the width ten times
  const Rows distinct = distinct_rows();
  const CalibrationMetrics b = calibration_metrics(distinct.log_odds, distinct.y);
  EXPECT_NEAR(b.ece_equal_mass, 0.16744799947267808, 1e-12);
  EXPECT_NEAR(b.ece_debiased, 0.17239578713098894, 1e-12);
  EXPECT_NEAR(b.smooth_ece, 0.16722302730805372, 1e-3);
}

TEST(CalibrationMetrics, HaveTheSmoothErrorThatSolvesItsEquation) {
  for (const double slope : {0.3, 0.8, 1.0}) {
    Rows rows = random_rows(100, slope, 7);
    rows.weight.assign(100, 1.0);
    const double s = calibration_metrics(rows.log_odds, rows.y).smooth_ece;
    EXPECT_NEAR(brute_smooth_error(rows, s), s, 1e-5) << slope;
  }
}

TEST(CalibrationMetrics, ResolveASmallSmoothError) {
  Rows rows;  // at every p a positive of weight p and a negative of weight 1 - p, but for little
  for (int i = 0; i < 50; ++i) {
    const double p = (i + 0.3) / 50;
    for (const int y : {1, 0}) {
      rows.log_odds.push_back(std::log(p / (1 - p)));
      rows.y.push_back(static_cast<std::uint8_t>(y));
      rows.weight.push_back(y == 1 ? p + 0.01 * std::sin(i * i) : 1 - p);
    }
  }
  const double s = calibration_metrics(rows.log_odds, rows.y, rows.weight).smooth_ece;
  EXPECT_LT(s, 0.01);
  EXPECT_NEAR(brute_smooth_error(rows, s), s, 1e-5);
}

TEST(CalibrationMetrics, TakeAWeightAsRepetition) {
  const Rows rows = tied_rows();
  Rows repeated;
  for (std::size_t i = 0; i < rows.y.size(); ++i)
    for (int k = 0; k < rows.weight[i]; ++k) {
      repeated.log_odds.push_back(rows.log_odds[i]);
      repeated.y.push_back(rows.y[i]);
    }
  Rows with_zeros = rows;
  with_zeros.log_odds.insert(with_zeros.log_odds.begin(), {9.0, -9.0});
  with_zeros.y.insert(with_zeros.y.begin(), {0, 1});
  with_zeros.weight.insert(with_zeros.weight.begin(), {0, 0});
  const CalibrationMetrics a = calibration_metrics(rows.log_odds, rows.y, rows.weight);
  const CalibrationMetrics b = calibration_metrics(repeated.log_odds, repeated.y);
  const CalibrationMetrics c = calibration_metrics(with_zeros.log_odds, with_zeros.y, with_zeros.weight);
  for (const auto& [name, field] : calibration_fields<double>()) {
    EXPECT_NEAR(a.*field, b.*field, 1e-9) << name;
    EXPECT_NEAR(a.*field, c.*field, 1e-9) << name;
  }
}

TEST(CalibrationMetrics, MirrorWithTheLabels) {
  const Rows rows = random_rows(300, 0.5, 3);
  Rows mirrored;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    mirrored.log_odds.push_back(-rows.log_odds[i]);
    mirrored.y.push_back(1 - rows.y[i]);
  }
  const CalibrationMetrics a = calibration_metrics(rows.log_odds, rows.y);
  const CalibrationMetrics b = calibration_metrics(mirrored.log_odds, mirrored.y);
  for (const auto& [name, field] : calibration_fields<double>())
    EXPECT_NEAR(a.*field, b.*field, 1e-9) << name;
}

TEST(CalibrationMetrics, DoNotSeeMonotoneChangesInDiscrimination) {
  const Rows rows = random_rows(300, 0.5, 4);
  std::vector<double> bent;
  for (const double nu : rows.log_odds) bent.push_back(std::sinh(nu));
  const CalibrationMetrics a = calibration_metrics(rows.log_odds, rows.y);
  const CalibrationMetrics b = calibration_metrics(bent, rows.y);
  EXPECT_DOUBLE_EQ(a.dsc, b.dsc);
  EXPECT_DOUBLE_EQ(a.auc, b.auc);
  EXPECT_GT(b.mcb, a.mcb);
}

TEST(CalibrationMetrics, AcceptProbabilitiesZeroAndOne) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> nu{-inf, inf, 0};
  const CalibrationMetrics right = calibration_metrics(nu, std::vector<std::uint8_t>{0, 1, 1});
  EXPECT_DOUBLE_EQ(right.log_loss, std::log(2.0) / 3);
  EXPECT_DOUBLE_EQ(right.brier, 0.25 / 3);
  const CalibrationMetrics wrong = calibration_metrics(nu, std::vector<std::uint8_t>{1, 1, 1});
  EXPECT_TRUE(std::isinf(wrong.log_loss));
  EXPECT_TRUE(std::isnan(wrong.auc));
}

TEST(CalibrationMetrics, RefuseWhatIsNoForecast) {
  const std::vector<double> nu{0, 1};
  const std::vector<std::uint8_t> y{0, 1};
  EXPECT_THROW(calibration_metrics(nu, std::vector<std::uint8_t>{1}), InputError);
  EXPECT_THROW(calibration_metrics({}, {}), InputError);
  EXPECT_THROW(calibration_metrics(std::vector<double>{0, std::nan("")}, y), InputError);
  EXPECT_THROW(calibration_metrics(nu, y, std::vector<double>{1, -1}), InputError);
  EXPECT_THROW(calibration_metrics(nu, y, std::vector<double>{0, 0}), InputError);
  EXPECT_THROW(calibration_estimates(nu, y, {}, {.replicates = 1}), UsageError);
  EXPECT_THROW(calibration_estimates(nu, y, {}, {.level = 1}), UsageError);
}

TEST(CalibrationEstimates, HoldTheValueOfTheMetricsAndDoNotDependOnThreads) {
  const Rows rows = tied_rows();
  const CalibrationMetrics m = calibration_metrics(rows.log_odds, rows.y, rows.weight);
  const auto one = calibration_estimates(rows.log_odds, rows.y, rows.weight, {.threads = 1});
  const auto three = calibration_estimates(rows.log_odds, rows.y, rows.weight, {.threads = 3});
  const auto values = calibration_fields<double>();
  const auto estimates = calibration_fields<Estimate>();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Estimate a = one.*estimates[k].second;
    const Estimate b = three.*estimates[k].second;
    EXPECT_EQ(a.value, m.*values[k].second) << values[k].first;
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.upper, b.upper);
    EXPECT_LT(a.lower, a.upper) << values[k].first;
  }
}

TEST(CalibrationEstimates, HaveTheWidthOfAMean) {
  const Rows rows = random_rows(2000, 0.7, 5);
  std::vector<double> square;
  double mean = 0;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    square.push_back(std::pow(chance(rows.log_odds[i]) - rows.y[i], 2));
    mean += square.back() / 2000;
  }
  double variance = 0;
  for (const double s : square) variance += (s - mean) * (s - mean) / 2000;
  const double half = 1.6449 * std::sqrt(variance / 2000);
  const auto e = calibration_estimates(rows.log_odds, rows.y, {}, {.replicates = 1000});
  // 1,000 replicates give a 5 % quantile to about 7 % of the half width.
  EXPECT_NEAR(e.brier.lower, mean - half, 0.2 * half);
  EXPECT_NEAR(e.brier.upper, mean + half, 0.2 * half);
}

TEST(CalibrationEstimates, CoverTheTrueAreaAndLogLoss) {
  const CalibrationMetrics truth = [] {
    const Rows rows = random_rows(200000, 0.7, 99);
    return calibration_metrics(rows.log_odds, rows.y);
  }();
  int covered[2] = {0, 0};
  constexpr int sets = 100;
  for (int k = 0; k < sets; ++k) {
    const Rows rows = random_rows(300, 0.7, 1000 + static_cast<std::uint64_t>(k));
    const auto e = calibration_estimates(rows.log_odds, rows.y, {}, {.replicates = 60, .threads = 1});
    covered[0] += e.auc.lower <= truth.auc && truth.auc <= e.auc.upper;
    covered[1] += e.log_loss.lower <= truth.log_loss && truth.log_loss <= e.log_loss.upper;
  }
  for (const int count : covered) {  // 90 % and three standard errors, and room for a bootstrap of 300 rows
    EXPECT_GE(count, 0.80 * sets);
    EXPECT_LE(count, 0.98 * sets);
  }
}

}  // namespace
}  // namespace linkgistic

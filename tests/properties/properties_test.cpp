// Properties that hold for any rows, on rows that a generator makes: of ties, gaps, outliers and any size.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr std::uint64_t problems = 12;

struct MadeRows {
  std::vector<double> x, y, weight;
  std::vector<std::uint8_t> label;

  [[nodiscard]] MadeRows taken(const std::vector<std::size_t>& which) const {
    MadeRows result;
    for (const std::size_t i : which) {
      result.x.push_back(x[i]);
      result.y.push_back(y[i]);
      result.weight.push_back(weight[i]);
      result.label.push_back(label[i]);
    }
    return result;
  }
};

// 30 to 300 rows; x from one of four laws, whole weights from 0 to 3.
MadeRows made_rows(std::uint64_t seed) {
  RandomStream random(seed);
  MadeRows rows;
  const std::size_t count = 30 + random.below(270);
  const auto law = random.below(4);
  for (std::size_t i = 0; i < count; ++i) {
    double x = random.normal();
    if (law == 1) x = std::round(3 * x);            // ties
    if (law == 2) x = x > 0 ? 40 + x : x;           // a gap
    if (law == 3) x = std::copysign(x * x * x, x);  // long tails
    rows.x.push_back(x);
    rows.y.push_back(2 * std::tanh(x) + 0.5 * random.normal());
    rows.weight.push_back(static_cast<double>(random.below(4)));
    rows.label.push_back(i < 2 ? i : random.uniform() < sigmoid(1.5 * std::tanh(x)) ? 1 : 0);
  }
  rows.weight[0] = rows.weight[1] = 1;  // both labels have weight
  return rows;
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

// Each row as often as its weight says.
std::vector<std::size_t> repeated(const MadeRows& rows) {
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < rows.x.size(); ++i)
    which.insert(which.end(), static_cast<std::size_t>(rows.weight[i]), i);
  return which;
}

// Any finite double: all bits are drawn.
double any_double(RandomStream& random) {
  for (;;) {
    const auto bits = random.below(std::uint64_t{1} << 32) << 32 | random.below(std::uint64_t{1} << 32);
    const double value = std::bit_cast<double>(bits);
    if (std::isfinite(value)) return value;
  }
}

std::vector<double> grid(double lower, double upper) {
  std::vector<double> x;
  for (int i = 0; i <= 50; ++i) x.push_back(lower + (upper - lower) * i / 50);
  return x;
}

FittedMonotoneRegression regression_of(const MadeRows& rows, bool weighted = true) {
  MonotoneRegressionOptions options;
  options.harmonics = 8;
  options.direction = Direction::increasing;
  options.threads = 1;
  return MonotoneRegression(options).fit(rows.x, rows.y, weighted ? rows.weight : std::vector<double>{});
}

FittedMonotoneCalibrator calibration_of(const MadeRows& rows, bool weighted = true) {
  return MonotoneCalibrator({.score_kind = ScoreKind::decision, .threads = 1})
      .fit(rows.x, rows.label, weighted ? rows.weight : std::vector<double>{});
}

FittedLinkgisticClassifier classifier_of(const MadeRows& rows, double unit = 1) {
  ClassificationData data;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    values.push_back(unit * rows.x[i]);
    values.push_back(rows.y[i]);
    data.labels.push_back(rows.label[i]);
  }
  data.rows = FeatureRows::dense(values, rows.x.size(), 2);
  data.class_names = {"no", "yes"};
  data.weights = rows.weight;
  LinkgisticOptions options;
  options.l2 = 1;
  options.v = 0.05;
  options.cross_fit = false;
  options.threads = 1;
  return LinkgisticClassifier(options).fit(data);
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

// Another order adds the same numbers in another order; hyper-parameters stop within 1e-6 of the optimum of
// an objective that is flat there.
constexpr double of_rounding = 1e-4;

class Properties : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, Properties, testing::Range(std::uint64_t{1}, problems + 1));

TEST_P(Properties, OfARegressionDependOnNeitherOrderNorRepetition) {
  const MadeRows rows = made_rows(GetParam());
  const auto at = grid(-4, 4);
  const auto expected = regression_of(rows).estimate(at);
  expect_near(regression_of(rows.taken(shuffled(rows.x.size(), GetParam()))).estimate(at), expected,
              of_rounding);
  expect_near(regression_of(rows.taken(repeated(rows)), false).estimate(at), expected, of_rounding);
}

// Powers of two are exact but for hyper-parameters and their units.
TEST_P(Properties, OfARegressionHaveTheUnitsOfTheRows) {
  const MadeRows rows = made_rows(GetParam());
  MadeRows moved = rows;
  for (double& x : moved.x) x = 0x1p-20 * (x + 4);
  for (double& y : moved.y) y = 0x1p30 * (y - 8);
  std::vector<double> at = grid(-4, 4);
  const auto expected = regression_of(rows).predict(at);
  for (double& x : at) x = 0x1p-20 * (x + 4);
  const auto found = regression_of(moved).predict(at);
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_NEAR(found.estimate[i] * 0x1p-30 + 8, expected.estimate[i], of_rounding);
    EXPECT_NEAR(found.obs_upper[i] * 0x1p-30 + 8, expected.obs_upper[i], 10 * of_rounding);
  }
}

// The counts of scores are sorted: nothing but the weights of ties is added. Units do matter: the average
// holds the log odds that the scores claim to be.
TEST_P(Properties, OfACalibrationDependOnNeitherOrderNorRepetition) {
  const MadeRows rows = made_rows(GetParam());
  const std::vector<double> at = grid(-4, 4);
  const auto expected = calibration_of(rows).log_odds(at);
  EXPECT_EQ(calibration_of(rows.taken(shuffled(rows.x.size(), GetParam()))).log_odds(at), expected);
  EXPECT_EQ(calibration_of(rows.taken(repeated(rows)), false).log_odds(at), expected);
}

TEST_P(Properties, OfAClassifierDependOnNeitherOrderRepetitionNorUnits) {
  const MadeRows rows = made_rows(GetParam());
  const auto scores = grid(-3, 3);
  const auto expected = classifier_of(rows).probability_at(scores);
  expect_near(classifier_of(rows.taken(shuffled(rows.x.size(), GetParam()))).probability_at(scores), expected,
              of_rounding);
  MadeRows once = rows.taken(repeated(rows));
  once.weight.clear();
  expect_near(classifier_of(once).probability_at(scores), expected, of_rounding);
  expect_near(classifier_of(rows, 0x1p12).probability_at(scores), expected, of_rounding);
}

// 10^6 pairs in all; beyond the rows, too. Numbers of the size of the curve are rounded to 1e-16 of it.
TEST_P(Properties, CurvesAreMonotoneAtRandomPairs) {
  const MadeRows rows = made_rows(GetParam());
  RandomStream random(GetParam(), 1);
  std::vector<double> at(2 * 1000000 / problems / 2);
  for (double& x : at) x = 10 * random.normal();
  std::sort(at.begin(), at.end());
  const auto curve = regression_of(rows).estimate(at), odds = calibration_of(rows).log_odds(at);
  double size = 0;
  for (const double y : curve) size = std::max(size, std::abs(y));
  for (std::size_t i = 1; i < at.size(); ++i) {
    ASSERT_GE(curve[i] - curve[i - 1], -1e-13 * size) << at[i];
    ASSERT_GE(odds[i] - odds[i - 1], -1e-12) << at[i];
  }
}

TEST_P(Properties, AnyFiniteNumberHasAFinitePredictionThatAFileKeeps) {
  const MadeRows rows = made_rows(GetParam());
  RandomStream random(GetParam(), 2);
  std::vector<double> at(2000);
  for (double& x : at) x = any_double(random);
  const auto regression = regression_of(rows);
  const auto calibration = calibration_of(rows);
  const Prediction p = regression.predict(at);
  for (const auto* part : {&p.estimate, &p.lower, &p.upper, &p.obs_lower, &p.obs_upper})
    for (const double value : *part) ASSERT_TRUE(std::isfinite(value));
  const CalibratedScores c = calibration.predict(at);
  for (std::size_t i = 0; i < at.size(); ++i) {
    ASSERT_TRUE(c.lower[i] >= 0 && c.lower[i] <= c.probability[i] && c.probability[i] <= c.upper[i] &&
                c.upper[i] <= 1)
        << at[i];
  }
  const Prediction read = FittedMonotoneRegression::from_json(regression.to_json(), "model").predict(at);
  EXPECT_EQ(read.estimate, p.estimate);
  EXPECT_EQ(read.obs_upper, p.obs_upper);
  EXPECT_EQ(FittedMonotoneCalibrator::from_json(calibration.to_json(), "model").predict(at).upper, c.upper);
}

}  // namespace
}  // namespace linkgistic

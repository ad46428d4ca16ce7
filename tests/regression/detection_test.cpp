// Limits of detection and quantification, against their formulas for a straight line and against brute force.
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

FittedMonotoneRegression line(double slope, double noise, Direction direction = Direction::automatic) {
  RandomStream random(3);
  std::vector<double> x, y;
  for (int i = 0; i < 3000; ++i) {
    x.push_back(i / 2999.0);
    y.push_back(5 + slope * x.back() + noise * random.normal());
  }
  MonotoneRegressionOptions options;
  options.direction = direction;
  return MonotoneRegression(options).fit(x, y);
}

TEST(Detection, OfALineIsThatOfItsFormula) {
  for (const double slope : {2.0, -2.0}) {
    const auto fit = line(slope, 0.1);
    // 2 z_{0.95} noise / slope.
    const CurveAnswer limit = fit.detection_limit(0.05);
    EXPECT_NEAR(limit.estimate, 2 * 1.6448536 * 0.1 / 2, 0.01);
    EXPECT_LE(limit.lower, limit.estimate);
    EXPECT_GE(limit.upper, limit.estimate);
    EXPECT_LT(limit.upper - limit.lower, 0.04);
    EXPECT_GT(fit.detection_limit(0.01).estimate, limit.estimate);
    // noise / slope = 0.05 = x / 10.
    EXPECT_NEAR(fit.quantification_limit(0.1).estimate, 0.5, 0.03);
    EXPECT_NEAR(fit.quantification_limit(0.2).estimate, 0.25, 0.02);
  }
}

TEST(Detection, BeyondTheDataIsNotReached) {
  const CurveAnswer limit = line(0.1, 1, Direction::increasing).detection_limit(0.05);
  EXPECT_TRUE(std::isnan(limit.estimate));
  EXPECT_TRUE(std::isnan(limit.upper));
}

// P(Poisson <= k).
double poisson_below(double k, double mean) {
  double sum = 0, term = std::exp(-mean);
  for (int i = 0; i <= k; ++i, term *= mean / i) sum += term;
  return sum;
}

TEST(Detection, OfCountsIsThatOfBruteForce) {
  for (const double sign : {1.0, -1.0}) {
    RandomStream random(5);
    std::vector<double> x, y;
    for (int i = 0; i < 500; ++i) {
      x.push_back(2 + i / 499.0);
      double count = 0;
      const double mean = std::exp(2.5 + sign * 1.5 * (x.back() - 2.5));
      for (double t = -std::log(random.uniform()); t < mean; t -= std::log(random.uniform())) ++count;
      y.push_back(count);
    }
    MonotoneRegressionOptions options;
    options.response = ResponseKind::poisson;
    const auto fit = MonotoneRegression(options).fit(x, y);
    const double blank = fit.estimate(std::vector<double>{2.0})[0];
    double critical = 0;
    if (sign > 0) {
      while (poisson_below(critical, blank) < 0.95) ++critical;
    } else {
      while (poisson_below(critical, blank) <= 0.05) ++critical;
      --critical;
    }
    double found = std::nan("");
    for (int i = 0; i <= 20000 && std::isnan(found); ++i) {
      const double at = 2 + i / 20000.0;
      const double below = poisson_below(critical, fit.estimate(std::vector<double>{at})[0]);
      if (sign > 0 ? below <= 0.05 : below >= 0.95) found = at;
    }
    ASSERT_FALSE(std::isnan(found));
    EXPECT_NEAR(fit.detection_limit(0.05).estimate, found, 1e-4);
  }
}

TEST(Detection, WhatCannotBeAskedIsNamed) {
  const auto fit = line(2, 0.1);
  EXPECT_THROW((void)fit.detection_limit(0), UsageError);
  EXPECT_THROW((void)fit.quantification_limit(1.5), UsageError);
  RandomStream random(1);
  std::vector<double> x, y;
  for (int i = 0; i < 40; ++i) {
    x.push_back(i);
    y.push_back(random.normal());
  }
  MonotoneRegressionOptions options;
  options.shape = Shape::convex;
  EXPECT_THROW((void)MonotoneRegression(options).fit(x, y).detection_limit(), UsageError);
}

}  // namespace
}  // namespace linkgistic

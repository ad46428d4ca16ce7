// Metrics against numbers worked out by hand.
#include "metrics/regression_metrics.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

// r = 1, -2, 0, 4.
const std::vector<double> y{3, 1, 5, 10}, mean{2, 3, 5, 6}, lower{1, 2, 5, 4}, upper{3, 4, 5, 8};

TEST(RegressionMetrics, AreMeansOverRows) {
  RegressionMetrics metrics(2);
  metrics.add(y, mean, lower, upper);
  EXPECT_DOUBLE_EQ(metrics.rmse(), std::sqrt(21.0 / 4));
  EXPECT_DOUBLE_EQ(metrics.mae(), 7.0 / 4);
  EXPECT_DOUBLE_EQ(metrics.coverage(), 0.5);  // ends belong to the interval
  // log(2 pi)/2 = 0.918938533204673, log 2 = 0.693147180559945, 21/4/8 = 0.65625.
  EXPECT_NEAR(metrics.nll(), 2.268335713764618, 1e-14);
}

TEST(RegressionMetrics, CountARowOfWeightTwoTwiceAndOneOfWeightZeroNotAtAll) {
  RegressionMetrics metrics(1);
  const std::vector<double> weight{2, 1, 0, 0.5};
  metrics.add(y, mean, lower, upper, weight);
  EXPECT_DOUBLE_EQ(metrics.total_weight(), 3.5);
  EXPECT_DOUBLE_EQ(metrics.rmse(), 2);  // (2 1 + 4 + 16/2)/3.5 = 4
  EXPECT_DOUBLE_EQ(metrics.mae(), 6 / 3.5);
  EXPECT_DOUBLE_EQ(metrics.coverage(), 2 / 3.5);
  EXPECT_NEAR(metrics.nll(), 2.918938533204673, 1e-14);
}

TEST(RegressionMetrics, AddUpOverBlocks) {
  RegressionMetrics whole(0.5), parts(0.5);
  whole.add(y, mean, lower, upper);
  for (std::size_t i = 0; i < y.size(); ++i) {
    parts.add(std::span(y).subspan(i, 1), std::span(mean).subspan(i, 1), std::span(lower).subspan(i, 1),
              std::span(upper).subspan(i, 1));
  }
  EXPECT_EQ(parts.nll(), whole.nll());
  EXPECT_EQ(parts.coverage(), whole.coverage());
}

TEST(RegressionMetrics, AreNotANumberWithoutRows) {
  EXPECT_TRUE(std::isnan(RegressionMetrics(1).rmse()));
  EXPECT_TRUE(std::isnan(RegressionMetrics(1).coverage()));
}

}  // namespace
}  // namespace linkgistic

#include "report/classification_metrics.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

TEST(ClassificationMetrics, AreThoseOfAHandCalculation) {
  // p = 3/4, 1/4, 1/2, 3/4.
  const double l = std::log(3.0);
  const std::vector<double> log_odds{l, -l, 0, l};
  const std::vector<std::uint8_t> y{1, 0, 1, 0};
  const BinaryMetrics m = binary_metrics(log_odds, y);
  EXPECT_DOUBLE_EQ(m.accuracy, 0.5);               // log odds 0 is no positive
  EXPECT_DOUBLE_EQ(m.auc, (1 + 0.5 + 1 + 0) / 4);  // pairs (1,2) (1,4) (3,2) (3,4)
  EXPECT_NEAR(m.log_loss, -(2 * std::log(0.75) + std::log(0.5) + std::log(0.25)) / 4, 1e-15);
  EXPECT_NEAR(m.brier, (0.0625 + 0.0625 + 0.25 + 0.5625) / 4, 1e-15);
  EXPECT_NEAR(m.ece, (0.25 + 0.5 + 0.5) / 4, 1e-15);  // bins {3/4, 3/4}: |1.5 - 1|, {1/4}: 1/4, {1/2}: 1/2
}

TEST(ClassificationMetrics, TakeAWeightAsRepetition) {
  const std::vector<double> nu{0.3, -1, 2, 0.1}, weight{1, 2, 0, 3};
  const std::vector<std::uint8_t> y{1, 0, 0, 1};
  const std::vector<double> repeated{0.3, -1, -1, 0.1, 0.1, 0.1};
  const std::vector<std::uint8_t> labels{1, 0, 0, 1, 1, 1};
  const BinaryMetrics a = binary_metrics(nu, y, weight);
  const BinaryMetrics b = binary_metrics(repeated, labels);
  EXPECT_DOUBLE_EQ(a.accuracy, b.accuracy);
  EXPECT_DOUBLE_EQ(a.auc, b.auc);
  EXPECT_DOUBLE_EQ(a.log_loss, b.log_loss);
  EXPECT_DOUBLE_EQ(a.brier, b.brier);
  EXPECT_DOUBLE_EQ(a.ece, b.ece);
}

TEST(ClassificationMetrics, HaveNoAreaForOneClass) {
  const std::vector<double> nu{0.3, -1};
  const std::vector<std::uint8_t> y{1, 1};
  EXPECT_TRUE(std::isnan(binary_metrics(nu, y).auc));
}

}  // namespace
}  // namespace linkgistic

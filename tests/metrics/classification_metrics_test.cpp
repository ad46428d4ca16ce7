#include "metrics/classification_metrics.hpp"

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

// Expected values: scikit-learn (accuracy_score, roc_auc_score a class, log_loss) and NumPy.
TEST(ClassificationMetrics, OfManyClassesAreThoseOfScikitLearn) {
  const std::vector<double> p{.7, .2, .1, .1, .8, .1, .3, .3, .4, .25, .6, .15, .05, .15, .8, .5, .1, .4};
  const std::vector<std::int32_t> labels{0, 1, 1, 0, 2, 2};
  const std::vector<double> weight{1, 2, .5, 1, 1, 3};
  const BinaryMetrics plain = class_metrics(p, 3, labels), weighted = class_metrics(p, 3, labels, weight);
  EXPECT_NEAR(plain.accuracy, 0.5, 1e-12);
  EXPECT_NEAR(plain.auc, 0.8541666666666666, 1e-12);
  EXPECT_NEAR(plain.log_loss, 0.7182533239811889, 1e-12);
  EXPECT_NEAR(plain.brier, 0.4283333333333333, 1e-12);
  EXPECT_NEAR(plain.ece, 0.3666666666666667, 1e-12);
  EXPECT_NEAR(weighted.accuracy, 0.47058823529411764, 1e-12);
  EXPECT_NEAR(weighted.auc, 0.8852564102564102, 1e-12);
  EXPECT_NEAR(weighted.log_loss, 0.6780304184454923, 1e-12);
  EXPECT_NEAR(weighted.brier, 0.4117647058823529, 1e-12);
  EXPECT_NEAR(weighted.ece, 0.37647058823529406, 1e-12);
}

TEST(ClassificationMetrics, TheirMeanLeavesOutAnAreaThatIsNotDefined) {
  const std::vector<BinaryMetrics> each{{0.5, 0.75, 1, 0.25, 0.125}, {1, std::nan(""), 3, 0.75, 0.375}};
  const BinaryMetrics mean = mean_metrics(each);
  EXPECT_EQ(mean.accuracy, 0.75);
  EXPECT_EQ(mean.auc, 0.75);
  EXPECT_EQ(mean.log_loss, 2);
  EXPECT_EQ(mean.brier, 0.5);
  EXPECT_EQ(mean.ece, 0.25);
}

}  // namespace
}  // namespace linkgistic

// The paper's algorithms as printed.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "numeric/logistic.hpp"
#include "repro/auto_mpg_folds.hpp"
#include "repro/printed_linkgistic.hpp"
#include "repro/printed_regression.hpp"

namespace linkgistic::repro {
namespace {

double squared_error(const std::vector<double>& prediction, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += std::pow(prediction[i] - y[i], 2);
  return sum / static_cast<double>(y.size());
}

TEST(PrintedRegression, OfAGaussianProcessHasItsModeForAMean) {
  Rows rows;
  for (int i = 0; i < 40; ++i) {
    rows.x.push_back(i);
    rows.y.push_back(std::tanh((i - 20) / 8.0) + 0.05 * std::sin(7.0 * i));
  }
  PrintedRegressionOptions options;
  options.prior = PriorKind::gp;
  options.harmonics = 12;
  const PrintedRegression fit = fit_printed(rows, rows.x, options);
  for (std::size_t i = 0; i < rows.x.size(); ++i) EXPECT_NEAR(fit.mean[i], fit.mode[i], 1e-12);
  EXPECT_LT(squared_error(fit.mean, rows.y), 0.003);
  EXPECT_GE(fit.smallest_eigenvalue, 1 - 1e-6);  // a Gaussian prior and a log-concave likelihood
}

TEST(PrintedRegression, OfAFallingCurveTurnsTheAxis) {
  Rows rows;
  for (int i = 0; i < 40; ++i) {
    rows.x.push_back(i);
    rows.y.push_back(-std::tanh((i - 20) / 8.0) + 0.05 * std::sin(7.0 * i));
  }
  PrintedRegressionOptions options;
  options.harmonics = 12;
  const PrintedRegression fit = fit_printed(rows, rows.x, options);
  EXPECT_LT(squared_error(fit.mode, rows.y), 0.003);
  EXPECT_TRUE(std::is_sorted(fit.mode.rbegin(), fit.mode.rend()));
}

TEST(PrintedRegression, LetsTheMeanOfTheLemmaExplodeWhereTheModeIsSound) {
  double worst_mean = 0, worst_mode = 0;
  for (const char* feature : {"acceleration", "weight"}) {
    const Rows rows = read_feature(feature);
    const std::vector<int> part = random_partition(rows.x.size(), 0);
    for (int k = 0; k < 5; ++k) {
      const Rows train = select(rows, part, k, true), test = select(rows, part, k, false);
      PrintedRegressionOptions options;
      options.harmonics = 16;
      const PrintedRegression fit = fit_printed(train, test.x, options);
      worst_mean = std::max(worst_mean, squared_error(fit.mean, test.y));
      worst_mode = std::max(worst_mode, squared_error(fit.mode, test.y));
    }
  }
  EXPECT_GT(worst_mean, 1000);  // the variance of mpg is 61
  EXPECT_LT(worst_mode, 100);
}

ClassificationData bent_rows(std::size_t rows) {
  RandomStream random(8);
  std::vector<float> values;
  ClassificationData data;
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = random.normal(), z = random.normal(), score = 2 * x - z;
    values.push_back(static_cast<float>(x));
    values.push_back(static_cast<float>(z));
    data.labels.push_back(random.uniform() < sigmoid(score > 0 ? 0.4 * score : 3 * score) ? 1 : 0);
  }
  data.rows = FeatureRows::dense(values, rows, 2);
  data.class_names = {"no", "yes"};
  return data;
}

TEST(PrintedLinkgistic, KeepsTheOrderOfLogisticRegressionWithoutAnMStep) {
  const ClassificationData data = bent_rows(1500);
  LinkgisticOptions logistic;
  logistic.prior = LinkPrior::none;
  logistic.l2 = 0;
  const std::vector<double> straight = LinkgisticClassifier(logistic).fit(data).decision_values(data.rows);
  PrintedLinkgisticOptions options;
  options.em_iterations = 0;
  options.harmonics = 12;
  const PrintedLinkgistic fit = fit_printed(data, data.rows, options);
  EXPECT_EQ(fit.steps, 0);
  std::vector<std::size_t> order(straight.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return straight[a] < straight[b]; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    // Scores are in single precision: neighbours may be equal.
    EXPECT_GE(fit.log_odds[order[i]], fit.log_odds[order[i - 1]] - 1e-5);
    EXPECT_GE(fit.of_mode[order[i]], fit.of_mode[order[i - 1]] - 1e-5);
  }
}

TEST(PrintedLinkgistic, LearnsABentLinkAndGivesMeanProbabilities) {
  const ClassificationData data = bent_rows(3000);
  const auto log_loss = [&](const std::vector<double>& log_odds) {
    double sum = 0;
    for (std::size_t i = 0; i < log_odds.size(); ++i)
      sum += softplus(data.labels[i] == 1 ? -log_odds[i] : log_odds[i]);
    return sum / static_cast<double>(log_odds.size());
  };
  LinkgisticOptions logistic;
  logistic.prior = LinkPrior::none;
  logistic.l2 = 0;
  const double straight = log_loss(LinkgisticClassifier(logistic).fit(data).decision_values(data.rows));
  for (const LinkPrior prior : {LinkPrior::isgp, LinkPrior::gp}) {
    PrintedLinkgisticOptions options;
    options.prior = prior;
    options.harmonics = 12;
    const PrintedLinkgistic fit = fit_printed(data, data.rows, options);
    EXPECT_LT(log_loss(fit.log_odds), straight - 0.01);
    EXPECT_NEAR(log_loss(fit.log_odds), log_loss(fit.of_mode), 0.01);
    EXPECT_NE(fit.log_odds, fit.of_mode);
    EXPECT_GT(fit.steps, 0);
  }
}

}  // namespace
}  // namespace linkgistic::repro

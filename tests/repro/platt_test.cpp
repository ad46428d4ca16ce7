// The Platt scale: it is the least of its loss, and finds the line that made the labels.
#include "repro/platt.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic::repro {
namespace {

TEST(Platt, FindsTheLineThatMadeTheLabels) {
  RandomStream random(3);
  std::vector<double> score;
  std::vector<std::uint8_t> y;
  for (int i = 0; i < 20000; ++i) {
    score.push_back(5 * random.normal());
    y.push_back(random.uniform() < sigmoid(0.4 * score.back() - 1) ? 1 : 0);
  }
  const PlattScale scale = fit_platt(score, y);
  EXPECT_NEAR(scale.slope, 0.4, 0.02);
  EXPECT_NEAR(scale.level, -1, 0.08);
}

TEST(Platt, HasTheLeastLossAndAFiniteSlopeOfSeparatedScores) {
  const std::vector<double> score{-3, -2, -1, 1, 2, 4};
  const std::vector<std::uint8_t> y{0, 0, 0, 1, 1, 1};
  const PlattScale best = fit_platt(score, y);
  EXPECT_LT(best.slope, 50);
  const auto loss = [&](double slope, double level) {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double nu = slope * score[i] + level;
      sum += softplus(nu) - (y[i] != 0 ? 4.0 / 5 : 1.0 / 5) * nu;
    }
    return sum;
  };
  for (const double step : {-1e-3, 1e-3}) {
    EXPECT_GT(loss(best.slope + step, best.level), loss(best.slope, best.level));
    EXPECT_GT(loss(best.slope, best.level + step), loss(best.slope, best.level));
  }
}

}  // namespace
}  // namespace linkgistic::repro

#include "report/reliability.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> log_odds;
  std::vector<std::uint8_t> y;
};

// Labels drawn from probabilities whose log odds are `slope` times the predicted ones.
Rows draw(std::size_t rows, double slope, std::uint64_t seed) {
  RandomStream random(seed);
  Rows result;
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = 6 * random.uniform() - 3;
    result.log_odds.push_back(t);
    result.y.push_back(random.uniform() < sigmoid(slope * t) ? 1 : 0);
  }
  return result;
}

double share_inside(const Reliability& r) {
  double inside = 0;
  for (std::size_t i = 0; i < r.p.size(); ++i)
    inside += r.observed[i] >= r.lower[i] && r.observed[i] <= r.upper[i] ? 1 : 0;
  return inside / static_cast<double>(r.p.size());
}

TEST(Reliability, OfFourRowsIsTheIsotonicFitByHand) {
  // Sorted by p the labels are 1 0 0 1: the first three pool to 1/3.
  const std::vector<double> log_odds{2, -2, -1, 1};
  const std::vector<std::uint8_t> y{1, 1, 0, 0};
  const Reliability r = reliability(log_odds, y);
  ASSERT_EQ(r.observed.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(r.observed[i], 1.0 / 3, 1e-15);
  EXPECT_EQ(r.observed[3], 1);
  EXPECT_NEAR(r.p[0], 1 / (1 + std::exp(2.0)), 1e-15);
}

TEST(Reliability, BandHoldsCalibratedRowsNineTimesOfTenAndOthersSeldom) {
  double calibrated = 0, overconfident = 0;
  constexpr int sets = 40;
  for (int s = 0; s < sets; ++s) {
    const Rows good = draw(500, 1, static_cast<std::uint64_t>(s)),
               bad = draw(500, 0.4, static_cast<std::uint64_t>(s));
    calibrated += share_inside(reliability(good.log_odds, good.y)) / sets;
    overconfident += share_inside(reliability(bad.log_odds, bad.y)) / sets;
  }
  EXPECT_NEAR(calibrated, 0.9, 0.04);
  EXPECT_LT(overconfident, 0.5);
}

TEST(Reliability, AWeightOfTwoIsTheRowTwiceInTheFit) {
  const Rows rows = draw(60, 1, 3);
  std::vector<double> weight, log_odds;
  std::vector<std::uint8_t> y;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    weight.push_back(i % 3 == 0 ? 2 : 1);
    for (int k = 0; k < static_cast<int>(weight.back()); ++k) {
      log_odds.push_back(rows.log_odds[i]);
      y.push_back(rows.y[i]);
    }
  }
  const Reliability weighted = reliability(rows.log_odds, rows.y, weight),
                    repeated = reliability(log_odds, y);
  for (std::size_t i = 0; i < weighted.p.size(); ++i) {
    std::size_t j = 0;
    while (repeated.p[j] != weighted.p[i]) ++j;
    EXPECT_NEAR(weighted.observed[i], repeated.observed[j], 1e-12);
  }
}

TEST(Reliability, ManyRowsGoInRuns) {
  const Rows rows = draw(50'000, 1, 9);
  const Reliability r = reliability(rows.log_odds, rows.y);
  EXPECT_EQ(r.p.size(), 400U);
  EXPECT_GT(share_inside(r), 0.7);
  for (std::size_t i = 0; i < r.p.size(); ++i) EXPECT_NEAR(r.observed[i], r.p[i], 0.1);
}

}  // namespace
}  // namespace linkgistic

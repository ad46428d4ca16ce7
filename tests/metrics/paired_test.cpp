// Paired losses against sums by hand, and their interval against its coverage.
#include "metrics/paired.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

TEST(PairedLosses, AreWeightedMeansWithTheSpreadOfTheirDifferences) {
  const std::vector<double> first = {1, 2, 4, 8}, second = {2, 2, 3, 5}, weight = {1, 2, 0, 1};
  PairedLossSums sums;
  for (std::size_t i = 0; i < first.size(); ++i) sums.add(first[i], second[i], weight[i]);
  const PairedLosses l = sums.losses();
  EXPECT_DOUBLE_EQ(l.first, 13.0 / 4);
  EXPECT_DOUBLE_EQ(l.second, 11.0 / 4);
  EXPECT_DOUBLE_EQ(l.difference, 0.5);
  // w d = -1, 0, 3 about 0.5 w: squares 2.25 + 1 + 6.25.
  EXPECT_NEAR(l.upper - l.difference, 1.6448536269514722 * std::sqrt(9.5) / 4, 1e-12);
  EXPECT_NEAR(l.upper + l.lower, 1, 1e-12);
}

// 2,000 data sets: the share of 0.9 has the standard deviation 0.0067; four of them.
TEST(PairedLosses, HaveAnIntervalThatHoldsTheTrueDifference) {
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RandomStream random(seed);
    PairedLossSums sums;
    for (int i = 0; i < 200; ++i) {
      const double shared = random.normal();
      sums.add(shared + 0.3 + random.normal(), shared);
    }
    const PairedLosses l = sums.losses();
    inside += l.lower <= 0.3 && l.upper >= 0.3 ? 1 : 0;
  }
  EXPECT_NEAR(inside / 2000.0, 0.9, 0.027);
}

TEST(PairedLosses, AreNoNumbersWithoutRows) { EXPECT_TRUE(std::isnan(PairedLossSums().losses().first)); }

}  // namespace
}  // namespace linkgistic

// Ranges hold the data and have a length; the numbers along an axis are round and inside it.
#include "report/figure/axis.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Range range_of(const std::vector<double>& values, bool log, double margin = 0.05) {
  AxisExtent extent(log);
  extent.add(values);
  return extent.padded(margin);
}

std::vector<std::string> labels(Range range, bool log, double wished) {
  std::vector<std::string> result;
  for (const Tic& tic : tics(range, log, wished))
    result.push_back(tic.label.text + (tic.label.raised.empty() ? "" : "^{" + tic.label.raised + "}"));
  return result;
}

using Labels = std::vector<std::string>;

TEST(AxisExtent, AddsTheMarginAtBothEnds) {
  const Range range = range_of({3, 1, 2}, false, 0.5);
  EXPECT_DOUBLE_EQ(range.lower, 0);
  EXPECT_DOUBLE_EQ(range.upper, 4);
}

TEST(AxisExtent, AddsTheMarginInLogarithmsOnALogarithmicAxis) {
  const Range range = range_of({1, 100}, true, 0.5);
  EXPECT_DOUBLE_EQ(range.lower, 0.1);
  EXPECT_DOUBLE_EQ(range.upper, 1000);
}

TEST(AxisExtent, PassesOverValuesThatHaveNoPlace) {
  const Range range = range_of({nan, infinity, -infinity, 1e301, 0, -1, 1, 2}, true, 0);
  EXPECT_EQ(range.lower, 1);
  EXPECT_EQ(range.upper, 2);
}

TEST(AxisExtent, HasALengthWhateverTheValues) {
  for (const bool log : {false, true})
    for (const std::vector<double>& values : std::vector<std::vector<double>>{{},
                                                                              {nan},
                                                                              {0},
                                                                              {5},
                                                                              {-5},
                                                                              {1e300},
                                                                              {1e-300},
                                                                              {5e-324},
                                                                              {1e15, 1e15 + 1},
                                                                              {-1e300, 1e300},
                                                                              {1e-300, 1e300}}) {
      const Range range = range_of(values, log);
      EXPECT_TRUE(std::isfinite(range.lower) && std::isfinite(range.upper));
      EXPECT_LT(range.lower, range.upper);
      EXPECT_GE(tics(range, log, 5).size(), 1u);
      EXPECT_LE(tics(range, log, 5).size(), 20u);
    }
}

TEST(AxisExtent, StandsBarsOnTheAxis) {
  AxisExtent extent(false);
  extent.add_base();
  extent.add(10);
  EXPECT_EQ(extent.padded(0.05).lower, 0);
  EXPECT_DOUBLE_EQ(extent.padded(0.05).upper, 10.5);
}

TEST(Tics, AreRoundNumbersWithEqualDecimals) {
  EXPECT_EQ(labels({-0.1, 1.1}, false, 5), (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels({-12, 12}, false, 5), (Labels{"\u221210", "\u22125", "0", "5", "10"}));
}

TEST(Tics, UsePowersOfTenForLargeAndSmallNumbers) {
  EXPECT_EQ(labels({0, 2e6}, false, 6),
            (Labels{"0", "0.5\u00d710^{6}", "1.0\u00d710^{6}", "1.5\u00d710^{6}", "2.0\u00d710^{6}"}));
  EXPECT_EQ(labels({0, 3e-5}, false, 4),
            (Labels{"0", "10^{\u22125}", "2\u00d710^{\u22125}", "3\u00d710^{\u22125}"}));
}

TEST(Tics, OfALogarithmicAxisThinOutWithItsLength) {
  EXPECT_EQ(labels({0.5, 20}, true, 4), (Labels{"0.5", "1", "2", "5", "10", "20"}));
  EXPECT_EQ(labels({0.01, 100}, true, 3), (Labels{"0.01", "0.1", "1", "10", "100"}));
  EXPECT_EQ(labels({1e-6, 1e6}, true, 2.5),
            (Labels{"10^{\u22126}", "10^{\u22123}", "10^{0}", "10^{3}", "10^{6}"}));
  EXPECT_EQ(labels({1, 2}, true, 5), (Labels{"1.0", "1.2", "1.4", "1.6", "1.8", "2.0"}));
}

}  // namespace
}  // namespace linkgistic

// Sums in logarithms, and other small functions of numeric, against plain arithmetic.
#include "numeric/log_sum.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/logistic.hpp"
#include "numeric/quantile.hpp"
#include "numeric/random.hpp"
#include "numeric/split_threads.hpp"
#include "numeric/stopwatch.hpp"
#include "numeric/uncertain.hpp"

namespace linkgistic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

LogSum of(const std::vector<double>& terms) {
  return log_sum(terms.size(), [&](std::size_t k) { return terms[k]; });
}

TEST(LogSum, IsTheLogarithmOfTheSum) {
  RandomStream random(1);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> terms;
    double sum = 0;
    for (int k = 0; k < 7; ++k) {
      terms.push_back(3 * random.normal());
      sum += std::exp(terms.back());
    }
    EXPECT_NEAR(of(terms).value(), std::log(sum), 1e-13);
    // Where exp would overflow or underflow, all of it moves along.
    std::vector<double> far = terms;
    for (double& t : far) t += 1e4;
    EXPECT_NEAR(of(far).value() - 1e4, std::log(sum), 1e-11);
    EXPECT_NEAR(of(far) - of(terms), 1e4, 1e-11);
  }
}

TEST(LogSum, OfNothingIsMinusInfinity) {
  EXPECT_EQ(of({}).value(), -infinity);
  EXPECT_EQ(of({-infinity, -infinity}).value(), -infinity);
  EXPECT_EQ(of({-infinity, 2}).value(), 2);
}

TEST(LogSum, OfTwoIsTheirLogAdd) { EXPECT_NEAR(of({-700, -701.5}).value(), log_add(-701.5, -700), 1e-12); }

TEST(Softmax, SumsToOneInTheRatiosOfTheExponentials) {
  const std::vector<double> p = softmax({1000, 1001, 998});
  EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-15);
  EXPECT_NEAR(p[1] / p[0], std::exp(1), 1e-13);
  EXPECT_NEAR(p[2] / p[0], std::exp(-2), 1e-13);
}

TEST(Uncertain, IsNeitherZeroNorOneAndElseTheSame) {
  EXPECT_GT(uncertain(0), 0);
  EXPECT_LT(uncertain(1), 1);
  EXPECT_EQ(uncertain(0.3), 0.3);
  EXPECT_GT(uncertain(1), 1 - 1e-15);
}

TEST(CentralLevels, LeaveTheSameOnBothSides) {
  const auto levels = central_levels(0.8);
  EXPECT_NEAR(levels[0], 0.1, 1e-15);
  EXPECT_NEAR(levels[1], 0.9, 1e-15);
  for (const double bad : {0.0, 1.0, -0.5, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW((void)central_levels(bad), UsageError) << bad;
}

TEST(SplitThreads, GivesAllToOneLevel) {
  EXPECT_EQ(split_threads(true, 6).outer, 6);
  EXPECT_EQ(split_threads(true, 6).inner, 1);
  EXPECT_EQ(split_threads(false, 0).outer, 1);
  EXPECT_EQ(split_threads(false, 0).inner, 0);
}

TEST(Stopwatch, RunsForward) {
  const Stopwatch clock;
  const double first = clock.seconds();
  EXPECT_GE(first, 0);
  EXPECT_GE(clock.seconds(), first);
}

}  // namespace
}  // namespace linkgistic

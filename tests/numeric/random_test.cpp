#include "numeric/random.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/normal.hpp"

namespace linkgistic {
namespace {

TEST(RandomStream, NormalsHaveTheNormalDistribution) {
  RandomStream random(1);
  std::vector<double> z(200000);
  for (double& v : z) v = random.normal();
  std::sort(z.begin(), z.end());
  // Kolmogorov's distance; 1.95/sqrt(n) is exceeded with probability 0.001.
  double distance = 0;
  const auto n = static_cast<double>(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    distance = std::max(distance, std::abs(normal_cdf(z[i]) - (static_cast<double>(i) + 0.5) / n));
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(n));
}

TEST(RandomStream, IsAFunctionOfSeedAndStream) {
  RandomStream a(5, 2), b(5, 2), other_stream(5, 3), other_seed(6, 2);
  const double first = a.uniform();
  EXPECT_EQ(first, b.uniform());
  EXPECT_NE(first, other_stream.uniform());
  EXPECT_NE(first, other_seed.uniform());
}

TEST(RandomStream, BelowStaysBelowAndReachesAll) {
  RandomStream random(9);
  std::vector<int> seen(7);
  for (int i = 0; i < 1000; ++i) ++seen[random.below(7)];
  for (const int count : seen) EXPECT_GT(count, 80);
}

TEST(NormalQuantile, InvertsTheDistributionFunctionAndKnowsTheTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-13);  // Abramowitz and Stegun, table 26.5
  EXPECT_NEAR(normal_quantile(0.95), 1.6448536269514722, 1e-13);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  for (const double p : {1e-12, 1e-4, 0.3, 0.9999}) EXPECT_NEAR(normal_cdf(normal_quantile(p)) / p, 1, 1e-10);
}

}  // namespace
}  // namespace linkgistic

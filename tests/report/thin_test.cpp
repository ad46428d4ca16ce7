// Thinning keeps short layers as they are, and of long ones what the eye would see.
#include "report/figure/thin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

const auto all_drawn = [](std::size_t) { return true; };

std::vector<double> sequence(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i);
  return values;
}

bool contains(const std::vector<std::size_t>& indices, std::size_t i) {
  return std::binary_search(indices.begin(), indices.end(), i);
}

TEST(Thin, KeepsAllOfFiveThousand) {
  const auto x = sequence(5000);
  EXPECT_EQ(thin_curve(x, x, all_drawn).size(), 5000u);
  EXPECT_EQ(thin_points(x, x, all_drawn).size(), 5000u);
}

TEST(Thin, KeepsSpikesAndEndsOfALongLine) {
  std::vector<double> y(100'001);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::sin(1e-3 * static_cast<double>(i));
  y[31'417] = 9;
  y[77'123] = -9;
  const auto kept = thin_curve(y, y, all_drawn);
  EXPECT_LE(kept.size(), 5000u);
  for (const std::size_t i : {0u, 31'417u, 77'123u, 100'000u}) EXPECT_TRUE(contains(kept, i)) << i;
}

TEST(Thin, KeepsABreakInALongLine) {
  const auto y = sequence(50'000);
  const auto drawn = [](std::size_t i) { return i != 12'345; };
  EXPECT_TRUE(contains(thin_curve(y, y, drawn), 12'345));
}

TEST(Thin, KeepsTheShareOfEachPartOfACloud) {
  // A third of the points lies left of 1 in an order that repeats every three: a fixed stride would see one
  // kind.
  const std::size_t n = 300'000;
  std::vector<double> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = i % 3 == 0 ? 0.5 : 1.5;
    y[i] = 1e-6 * static_cast<double>(i % 1000);
  }
  x[1234] = -7;
  y[4321] = 7;
  const auto kept = thin_points(x, y, all_drawn);
  EXPECT_LE(kept.size(), 5000u);
  EXPECT_GE(kept.size(), 4990u);
  EXPECT_TRUE(contains(kept, 1234));
  EXPECT_TRUE(contains(kept, 4321));
  const auto left = std::count_if(kept.begin(), kept.end(), [&](std::size_t i) { return x[i] < 1; });
  // Binomial(4996, 1/3): mean 1665, standard deviation 33; five of them.
  EXPECT_NEAR(static_cast<double>(left), 1665, 167);
}

TEST(Thin, LeavesOutPointsThatHaveNoPlace) {
  const auto x = sequence(10'000);
  const auto kept = thin_points(x, x, [](std::size_t i) { return i % 2 == 0; });
  EXPECT_EQ(kept.size(), 5000u);
  EXPECT_TRUE(std::all_of(kept.begin(), kept.end(), [](std::size_t i) { return i % 2 == 0; }));
}

}  // namespace
}  // namespace linkgistic

// The toys have the law they claim, and Auto MPG is the whole set.
#include "table/toys.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t many = 100'000;

void expect_increasing(const Toy& toy) {
  for (double x = 0; x < 100; x += 0.25) EXPECT_GT(toy.truth(x + 0.25), toy.truth(x)) << x;
}

TEST(RegressionToy, HasTheStatedTruthAndUnitNoise) {
  const Toy toy = regression_toy(many, 1);
  expect_increasing(toy);
  // 8 sigma((x-20)/4) + 12 sigma((x-75)/6) by Python.
  EXPECT_NEAR(toy.truth(20), 4.001253438786571, 1e-12);
  EXPECT_NEAR(toy.truth(75), 13.999991458377039, 1e-12);
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < many; ++i) {
    EXPECT_TRUE(toy.x[i] >= 0 && toy.x[i] <= 100);
    const double noise = toy.y[i] - toy.truth(toy.x[i]);
    sum += noise;
    squares += noise * noise;
  }
  const double n = static_cast<double>(many);
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));  // four standard errors
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2 / n));
}

TEST(ClassificationToy, HasTheStatedTruthAndFrequencies) {
  const Toy toy = classification_toy(many, 1);
  expect_increasing(toy);
  for (const auto& [x, nu] : std::vector<std::pair<double, double>>{
           {0, -4}, {20, -2.5}, {40, -1}, {50, 0.5}, {60, 2}, {80, 2.5}, {100, 3}}) {
    EXPECT_NEAR(toy.truth(x), nu, 1e-12);
  }
  std::array<double, 10> excess{};
  std::array<double, 10> variance{};
  for (std::size_t i = 0; i < many; ++i) {
    EXPECT_TRUE(toy.y[i] == 0 || toy.y[i] == 1);
    const double p = 1 / (1 + std::exp(-toy.truth(toy.x[i])));
    const auto cell = static_cast<std::size_t>(toy.x[i] / 10);
    excess[cell] += toy.y[i] - p;
    variance[cell] += p * (1 - p);
  }
  for (std::size_t cell = 0; cell < 10; ++cell) {
    EXPECT_GT(variance[cell], 0) << cell;
    EXPECT_LT(std::abs(excess[cell]), 4 * std::sqrt(variance[cell])) << cell;
  }
}

TEST(Toys, TheSeedDecides) {
  EXPECT_EQ(regression_toy(50, 5).y, regression_toy(50, 5).y);
  EXPECT_NE(regression_toy(50, 5).y, regression_toy(50, 6).y);
  EXPECT_EQ(classification_toy(50, 5).x, classification_toy(50, 5).x);
  EXPECT_NE(classification_toy(50, 5).x, classification_toy(50, 6).x);
}

TEST(AutoMpg, HasAllRowsAndSixWithoutHorsepower) {
  const std::vector<double> mpg = read_column(open_auto_mpg(), "mpg", MissingValues::error);
  const std::vector<double> weight = read_column(open_auto_mpg(), "weight", MissingValues::error);
  const std::vector<double> power = read_column(open_auto_mpg(), "horsepower", MissingValues::drop);
  // Counts and sums by Python's csv module.
  EXPECT_EQ(mpg.size(), 398U);
  EXPECT_EQ(power.size(), 392U);
  EXPECT_NEAR(std::accumulate(mpg.begin(), mpg.end(), 0.0), 9358.8, 1e-9);
  EXPECT_EQ(std::accumulate(weight.begin(), weight.end(), 0.0), 1182229.0);
  EXPECT_EQ(std::accumulate(power.begin(), power.end(), 0.0), 40952.0);
  EXPECT_TRUE(auto_mpg_csv().starts_with("mpg,cylinders,displacement,"));
}

}  // namespace
}  // namespace linkgistic

// Tables of a loss: interpolation error, the linear parts outside, class weights.
#include "numeric/loss_table.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/bytes.hpp"

namespace linkgistic {
namespace {

// In long double, by a form different from the library's.
long double softplus(long double s) { return s > 60 ? s : std::log1p(std::exp(s)); }
long double sigmoid(long double s) { return (1 + std::tanh(s / 2)) / 2; }

TEST(LossTable, LogisticStaysWithinItsStatedErrors) {
  const LossTable& table = LossTable::logistic();
  double value_error = 0;
  double slope_error = 0;
  for (double m = -60; m < 60; m += 0.00713) {
    for (int label = 0; label < 2; ++label) {
      const double sign = label == 1 ? -1 : 1;
      const LossNode node = table.at(label, m);
      value_error = std::max(value_error, std::abs(node.value - static_cast<double>(softplus(sign * m))));
      slope_error =
          std::max(slope_error, std::abs(node.slope - sign * static_cast<double>(sigmoid(sign * m))));
    }
  }
  EXPECT_LT(value_error, 4e-10);
  EXPECT_LT(slope_error, 4e-8);
}

TEST(LossTable, ReproducesACubicExactlyAndIsLinearOutside) {
  const auto cubic = [](int label, double m) {
    const double s = label == 1 ? 2.0 : -1.0;
    return LossNode{s * (m * m * m - 2 * m + 1), s * (3 * m * m - 2)};
  };
  const LossTable table = LossTable::tabulate(-1.3, 2.1, 2, cubic);
  EXPECT_EQ(table.low(), -1.5);
  EXPECT_EQ(table.high(), 2.25);
  for (int label = 0; label < 2; ++label) {
    for (double m = -1.5; m <= 2.25; m += 0.01) {
      EXPECT_NEAR(table.at(label, m).value, cubic(label, m).value, 1e-13);
      EXPECT_NEAR(table.at(label, m).slope, cubic(label, m).slope, 1e-12);
      EXPECT_NEAR(table.curvature(label, m), (label == 1 ? 2.0 : -1.0) * 6 * m, 1e-11);
    }
    const LossNode edge = cubic(label, 2.25);
    EXPECT_NEAR(table.at(label, 1000).value, edge.value + edge.slope * (1000 - 2.25), 1e-9);
    EXPECT_NEAR(table.at(label, 1000).slope, edge.slope, 1e-12);
    EXPECT_EQ(table.curvature(label, -1000), 0);
  }
}

TEST(LossTable, TravelsAsItsNodesAndIsTheSameToTheBit) {
  const LossTable& table = LossTable::logistic();
  const std::string bytes = to_bytes(table);
  const auto again = from_bytes<LossTable>(bytes);
  ASSERT_TRUE(again.is_whole());
  ASSERT_EQ(again.cells(), table.cells());
  const auto numbers = static_cast<std::size_t>(table.cells()) * 2 * LossTable::coefficients;
  EXPECT_TRUE(std::equal(table.exact(), table.exact() + numbers, again.exact()));
  EXPECT_TRUE(std::equal(table.packed(), table.packed() + numbers, again.packed()));
  EXPECT_LT(3 * bytes.size(), numbers * (sizeof(double) + sizeof(float)));
  // A grid with another number of points is no table.
  std::string damaged = bytes;
  damaged[8] = static_cast<char>(damaged[8] + 1);
  EXPECT_FALSE(from_bytes<LossTable>(damaged).is_whole());
}

TEST(LossTable, RefusesAGridItCannotIndex) {
  const auto zero = [](int, double) { return LossNode{}; };
  EXPECT_THROW(LossTable::tabulate(1, 1, 3, zero), UsageError);
  EXPECT_THROW(LossTable::tabulate(0, 1e6, 10, zero), UsageError);
  EXPECT_THROW(LossTable::tabulate(0, std::nan(""), 3, zero), UsageError);
}

}  // namespace
}  // namespace linkgistic

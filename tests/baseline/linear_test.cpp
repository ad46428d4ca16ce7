// The least squares line against hand-made numbers and its invariants.
#include "baseline/linear.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

using Vector = std::vector<double>;

LinearFit fit(const Vector& x, const Vector& y, const Vector& w = {}) { return fit_linear({x, y, w}); }

TEST(Linear, GivesTheLineOfAnscombesFirstQuartet) {
  const LinearFit f = fit({10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5},
                          {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68});
  // Anscombe (1973): residual sum of squares 13.763 on 9 degrees of freedom.
  EXPECT_NEAR(f.intercept, 3.00009, 1e-5);
  EXPECT_NEAR(f.slope, 0.50009, 1e-5);
  EXPECT_NEAR(f.residual_variance, 13.76269 / 9, 1e-5);
  EXPECT_DOUBLE_EQ(f(2), f.intercept + 2 * f.slope);
}

TEST(Linear, TreatsWeightTwoAsTheRowTwiceAndZeroAsAbsent) {
  const LinearFit weighted = fit({0, 1, 4, 2, 50}, {1, 0, 3, 5, -9}, {1, 2, 1, 2, 0});
  const LinearFit repeated = fit({0, 1, 1, 4, 2, 2}, {1, 0, 0, 3, 5, 5});
  EXPECT_NEAR(weighted.intercept, repeated.intercept, 1e-14);
  EXPECT_NEAR(weighted.slope, repeated.slope, 1e-14);
  EXPECT_NEAR(weighted.residual_variance, repeated.residual_variance, 1e-14);
}

TEST(Linear, IsExactOnALineFarFromTheOrigin) {
  const LinearFit f = fit({1e9, 1e9 + 1, 1e9 + 2}, {5, 7, 9});
  EXPECT_DOUBLE_EQ(f.slope, 2);
  EXPECT_NEAR(f(1e9 + 1), 7, 1e-6);
  EXPECT_NEAR(f.residual_variance, 0, 1e-20);
}

TEST(Linear, IsTheMeanForOneRowAndForConstantX) {
  const LinearFit one = fit({3}, {7});
  EXPECT_EQ(one.slope, 0);
  EXPECT_EQ(one.intercept, 7);
  EXPECT_EQ(one.residual_variance, 0);
  const LinearFit constant = fit({0.1, 0.1, 0.1, 4}, {1, 2, 6, 100}, {1, 1, 1, 0});
  EXPECT_EQ(constant.slope, 0);
  EXPECT_DOUBLE_EQ(constant.intercept, 3);
  EXPECT_DOUBLE_EQ(constant.residual_variance, 7);
}

TEST(Linear, RefusesRowsItCannotFit) {
  EXPECT_THROW(fit({}, {}), InputError);
  EXPECT_THROW(fit({1}, {1, 2}), InputError);
  EXPECT_THROW(fit({1, 2}, {1, std::numeric_limits<double>::infinity()}), InputError);
  EXPECT_THROW(fit({1, 2}, {1, 2}, {0, 0}), InputError);
}

}  // namespace
}  // namespace linkgistic

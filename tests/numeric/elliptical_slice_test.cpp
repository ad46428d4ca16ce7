// Elliptical slice sampling against a posterior that is known.
#include "numeric/elliptical_slice.hpp"

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

TEST(EllipticalSlice, DrawsFromAGaussianTimesAGaussian) {
  // N(z; 0, I) exp(-(z_0 - 3)^2 2): precision 5, mean 12/5 in z_0; N(0, 1) in z_1.
  const auto f = [](const Vector& z) { return -2 * (z[0] - 3) * (z[0] - 3); };
  RandomStream random(1);
  Vector z = Vector::Zero(2);
  double value = f(z);
  double sum[2] = {0, 0}, square[2] = {0, 0};
  constexpr int draws = 20000;
  for (int s = 0; s < draws; ++s) {
    elliptical_slice(z, value, f, random);
    EXPECT_EQ(value, f(z));
    for (const int i : {0, 1}) {
      sum[i] += z[i];
      square[i] += z[i] * z[i];
    }
  }
  const auto mean = [&](int i) { return sum[i] / draws; };
  const auto variance = [&](int i) { return square[i] / draws - mean(i) * mean(i); };
  // Some 5,000 effective draws: standard errors of .006 and .014 for the means.
  EXPECT_NEAR(mean(0), 2.4, 0.03);
  EXPECT_NEAR(variance(0), 0.2, 0.02);
  EXPECT_NEAR(mean(1), 0, 0.06);
  EXPECT_NEAR(variance(1), 1, 0.08);
}

}  // namespace
}  // namespace linkgistic

// The line search on functions with a known minimum, and where there is none.
#include "numeric/line_search.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

template <class F>
std::optional<LinePoint> search(F f, double first) {
  return wolfe_search(f, f(0), f(first));
}

TEST(LineSearch, FindsTheMinimumOfAQuadraticFromBothSides) {
  const auto f = [](double t) { return LinePoint{t, (t - 3) * (t - 3), 2 * (t - 3)}; };
  for (const double first : {1e-3, 1.0, 3.0, 1e4}) {
    const auto p = search(f, first);
    ASSERT_TRUE(p);
    EXPECT_NEAR(p->t, 3, 0.31) << first;
  }
}

TEST(LineSearch, CrossesASlopeThatIsSteepOnOneSide) {
  // -1e7 until t = 1e-3, then +1: secant steps alone would creep.
  const auto f = [](double t) {
    const double s = t - 1e-3;
    const double bend = 1e-5;
    const double r = std::sqrt(s * s + bend * bend);
    return LinePoint{t, 5e6 * (r - s) + r, 5e6 * (s / r - 1) + s / r};
  };
  const auto p = search(f, 1.0);
  ASSERT_TRUE(p);
  EXPECT_LT(p->value, f(0).value);
}

TEST(LineSearch, SteersClearOfValuesThatAreNotFinite) {
  const auto f = [](double t) {
    return LinePoint{t, t < 2 ? -std::log(2 - t) - 3 * t : std::nan(""), 1 / (2 - t) - 3};
  };
  const auto p = search(f, 5.0);
  ASSERT_TRUE(p);
  EXPECT_NEAR(p->t, 2 - 1.0 / 3, 0.1);
}

TEST(LineSearch, SaysWhenThereIsNoDecrease) {
  const auto f = [](double t) { return LinePoint{t, 1 + t, -1}; };
  EXPECT_FALSE(search(f, 1.0));
}

}  // namespace
}  // namespace linkgistic

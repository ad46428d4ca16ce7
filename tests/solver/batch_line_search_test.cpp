#include "solver/batch_line_search.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

// Searches along f by requests of eight steps; the number of requests, and the step.
template <class F>
std::pair<int, std::optional<double>> search(const F& f) {
  LineBracket bracket(f(0.0), f(1.0));
  int requests = 0;
  while (bracket.open && requests < 5) {
    ++requests;
    std::vector<LinePoint> points;
    for (const double t : bracket.steps()) points.push_back(f(t));
    bracket.narrow(points, {});
  }
  return {requests, bracket.step()};
}

TEST(LineBracket, FindsAStepInsideTheFirstOne) {
  for (const double minimum : {0.9, 0.5, 0.13, 0.02, 1e-3}) {
    const auto f = [&](double t) { return LinePoint{t, (t - minimum) * (t - minimum), 2 * (t - minimum)}; };
    const auto [requests, step] = search(f);
    ASSERT_TRUE(step) << minimum;
    EXPECT_LT(std::abs(f(*step).slope), 0.1 * std::abs(f(0.0).slope)) << minimum;
    EXPECT_LE(requests, 3) << minimum;
  }
}

TEST(LineBracket, GoesBeyondAStepThatIsTooShort) {
  for (const double minimum : {2.5, 40.0, 200.0}) {
    const auto f = [&](double t) { return LinePoint{t, (t - minimum) * (t - minimum), 2 * (t - minimum)}; };
    const auto [requests, step] = search(f);
    ASSERT_TRUE(step) << minimum;
    EXPECT_LT(std::abs(f(*step).slope), 0.1 * std::abs(f(0.0).slope)) << minimum;
  }
}

TEST(LineBracket, TakesTheShortestGoodStepWhereTheLossFallsForEver) {
  const auto f = [](double t) { return LinePoint{t, std::exp(-t / 4), -std::exp(-t / 4) / 4}; };
  const auto [requests, step] = search(f);
  ASSERT_TRUE(step);
  EXPECT_EQ(*step, 16);  // exp(-2) > .1 > exp(-4)
}

TEST(LineBracket, FindsTheWayBackFromInfinity) {
  const auto f = [](double t) {
    const double wall = t < 0.1 ? 0.0 : std::numeric_limits<double>::infinity();
    return LinePoint{t, (t - 0.05) * (t - 0.05) + wall, 2 * (t - 0.05)};
  };
  const auto [requests, step] = search(f);
  ASSERT_TRUE(step);
  EXPECT_LT(*step, 0.1);
}

TEST(LineBracket, FindsNothingWhereNothingFalls) {
  const auto f = [](double t) { return LinePoint{t, 1 + t, t == 0 ? -1.0 : 1.0}; };
  EXPECT_FALSE(search(f).second);
}

}  // namespace
}  // namespace linkgistic

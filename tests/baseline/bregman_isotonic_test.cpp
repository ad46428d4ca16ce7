// The Bregman fit of BregmanTron: least by the variational inequality.
#include "baseline/bregman_isotonic.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "baseline/lipschitz_isotonic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> z, weight;
};

Rows random_rows(RandomStream& random, std::size_t n, double width) {
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.z.push_back(width * random.normal());
    rows.weight.push_back(0.2 + random.uniform());
  }
  std::sort(rows.z.begin(), rows.z.end());
  return rows;
}

void expect_feasible(const Rows& rows, const std::vector<double>& v, const SlopeBounds& bounds) {
  EXPECT_GE(v.front(), -1e-13);
  EXPECT_LE(v.back(), 1 + 1e-13);
  for (std::size_t i = 1; i < v.size(); ++i) {
    const double step = rows.z[i] - rows.z[i - 1];
    EXPECT_GE(v[i] - v[i - 1], bounds.lower * step - 1e-13);
    EXPECT_LE(v[i] - v[i - 1], bounds.upper * step + 1e-13);
  }
}

// No feasible point lies downhill: sum w (u^-1(v) - z)(q - v) >= 0 for all feasible q, which for a convex
// problem is to be the minimum.
void expect_least(const Rows& rows, const std::vector<double>& v, const TronLink& link,
                  const SlopeBounds& bounds, RandomStream& random) {
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> y(v.size());
    const double spread = trial % 2 == 0 ? 0.5 : 0.02;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = v[i] + spread * random.normal();
    const std::vector<double> q =
        lipschitz_isotonic(rows.z, y, rows.weight, {bounds.lower, bounds.upper, 0, 1, 1});
    double slope = 0, distance = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      slope += rows.weight[i] * (link.inverse(v[i]).z - rows.z[i]) * (q[i] - v[i]);
      distance += rows.weight[i] * std::abs(q[i] - v[i]);
    }
    EXPECT_GE(slope, -1e-6 * distance);
  }
}

TEST(BregmanIsotonic, IsTheNearestFeasiblePointForTheLogisticLink) {
  RandomStream random(1);
  for (const double width : {0.3, 1.0, 2.0}) {
    const Rows rows = random_rows(random, 60, width);
    for (const SlopeBounds bounds :
         {SlopeBounds{0.02, 0.5}, SlopeBounds{0.05, 1.0}, SlopeBounds{0.1, 0.12}}) {
      if (bounds.lower * (rows.z.back() - rows.z.front()) > 0.9) continue;
      const TronLink link;
      const auto v = bregman_isotonic(rows.z, rows.weight, link, bounds);
      expect_feasible(rows, v, bounds);
      expect_least(rows, v, link, bounds, random);
    }
  }
}

TEST(BregmanIsotonic, IsTheNearestFeasiblePointForAFittedLink) {
  RandomStream random(2);
  const TronLink link(PiecewiseLinear({-1, -0.2, 0.1, 0.3, 1.5}, {0.05, 0.1, 0.38, 0.4, 0.95}),
                      TronLink::Outside::logistic);
  const SlopeBounds bounds{0.15, 0.6};
  const Rows rows = random_rows(random, 80, 0.9);
  const auto v = bregman_isotonic(rows.z, rows.weight, link, bounds);
  expect_feasible(rows, v, bounds);
  expect_least(rows, v, link, bounds, random);
}

TEST(BregmanIsotonic, LeavesALinkAloneThatIsWithinTheBounds) {
  RandomStream random(3);
  const Rows rows = random_rows(random, 50, 0.2);
  const TronLink link;
  const auto v = bregman_isotonic(rows.z, rows.weight, link, {0.001, 1});
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_EQ(v[i], link(rows.z[i]));
}

TEST(TronLink, HasTheInverseOfItsValues) {
  const TronLink fitted(PiecewiseLinear({-1, 0, 2}, {0.1, 0.5, 0.8}), TronLink::Outside::logistic);
  for (const TronLink& link : {TronLink(), fitted}) {
    for (const double p : {0.01, 0.1, 0.3, 0.5, 0.79, 0.8, 0.99}) {
      const TronLink::Inverse inverse = link.inverse(p);
      EXPECT_NEAR(link(inverse.z), p, 1e-14);
      const double h = 1e-7;
      const double right = (link(inverse.z + h) - p) / h, left = (p - link(inverse.z - h)) / h;
      EXPECT_LE(std::min(std::abs(right - inverse.slope), std::abs(left - inverse.slope)), 1e-5);
    }
    EXPECT_NEAR(link.log_odds(0.7), std::log(link(0.7) / (1 - link(0.7))), 1e-13);
  }
  EXPECT_EQ(TronLink(PiecewiseLinear({0}, {0.25}))(-100), 0.25);
}

}  // namespace
}  // namespace linkgistic

// Isotonic regression against the min-max formula, and the cases that isotonic regressions have got wrong
// before.
#include "baseline/pava.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

using Vector = std::vector<double>;

PiecewiseLinear fit(const Vector& x, const Vector& y, const Vector& w = {}, bool increasing = true) {
  return fit_isotonic({x, y, w}, {.increasing = increasing});
}

/// v_i = max over a <= i of min over b >= i of the weighted mean of y_a..y_b.
Vector min_max(const Vector& y, const Vector& w) {
  Vector v(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    double outer = -std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a <= i; ++a) {
      double inner = std::numeric_limits<double>::infinity();
      double sum = 0;
      double weight = 0;
      for (std::size_t b = a; b < y.size(); ++b) {
        sum += w[b] * y[b];
        weight += w[b];
        if (b >= i) inner = std::min(inner, sum / weight);
      }
      outer = std::max(outer, inner);
    }
    v[i] = outer;
  }
  return v;
}

void expect_near(const Vector& a, const Vector& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "at " << i;
}

TEST(Pava, EqualsTheMinMaxFormulaOnRandomProblems) {
  RandomStream random(1);
  for (int problem = 0; problem < 200; ++problem) {
    const std::size_t n = 1 + random.below(25);
    Vector y(n);
    Vector w(n);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = problem % 2 == 0 ? random.normal() : static_cast<double>(random.below(3));
      w[i] = 0.1 + random.uniform();
    }
    expect_near(pava(y, w), min_max(y, w), 1e-13);
    expect_near(pava(y), min_max(y, Vector(n, 1.0)), 1e-13);
  }
}

TEST(Pava, FitsUnsortedRowsWithTiesAsTheMergedSortedRows) {
  RandomStream random(2);
  for (int problem = 0; problem < 50; ++problem) {
    // More rows than the threshold below which the sort compares.
    const std::size_t n = problem < 45 ? 1 + random.below(60) : 6000;
    const std::size_t distinct = problem % 2 == 0 ? 12 : 40;
    Vector x(n);
    Vector y(n);
    Vector w(n);
    Vector sum_wy(distinct, 0.0);
    Vector sum_w(distinct, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t k = random.below(distinct);
      x[i] = static_cast<double>(k) - 7.5;
      y[i] = random.normal() + 0.1 * x[i];
      w[i] = random.uniform();
      sum_wy[k] += w[i] * y[i];
      sum_w[k] += w[i];
    }
    Vector knots;
    Vector means;
    Vector weights;
    for (std::size_t k = 0; k < distinct; ++k)
      if (sum_w[k] > 0) {
        knots.push_back(static_cast<double>(k) - 7.5);
        means.push_back(sum_wy[k] / sum_w[k]);
        weights.push_back(sum_w[k]);
      }
    expect_near(fit(x, y, w)(knots), min_max(means, weights), 1e-12);
  }
}

TEST(Pava, SortsRowsOfAllMagnitudesAndSigns) {
  RandomStream random(3);
  Vector x{0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308};
  for (int i = 0; i < 20000; ++i) x.push_back(random.normal() * std::exp(100 * random.normal()));
  std::rotate(x.begin(), x.begin() + 777, x.end());
  // y = x is its own isotonic fit, so that every x must come back as a knot with its own value.
  const PiecewiseLinear f = fit(x, x);
  Vector sorted = x;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  EXPECT_EQ(Vector(f.knots().begin(), f.knots().end()), sorted);
  EXPECT_EQ(Vector(f.values().begin(), f.values().end()), sorted);
}

TEST(Pava, KeepsTheTwoEndsOfEveryBlockAndInterpolatesBetweenBlocks) {
  const PiecewiseLinear f = fit({1, 2, 3, 4, 5, 6}, {1, 5, 4, 3, 10, 12});
  EXPECT_EQ(Vector(f.knots().begin(), f.knots().end()), (Vector{1, 2, 4, 5, 6}));
  EXPECT_EQ(Vector(f.values().begin(), f.values().end()), (Vector{1, 4, 4, 10, 12}));
  EXPECT_DOUBLE_EQ(f(1.5), 2.5);
  EXPECT_DOUBLE_EQ(f(3.3), 4);
  EXPECT_DOUBLE_EQ(f(4.25), 5.5);
  EXPECT_DOUBLE_EQ(f(-100), 1);
  EXPECT_DOUBLE_EQ(f(100), 12);
}

TEST(Pava, DropsRowsOfWeightZeroWhereverTheyAre) {
  const PiecewiseLinear with = fit({0, 1, 2, 3, 4, 5}, {9, 1, -7, 2, 1.5, -3}, {0, 1, 0, 2, 1, 0});
  const PiecewiseLinear without = fit({1, 3, 4}, {1, 2, 1.5}, {1, 2, 1});
  EXPECT_TRUE(std::ranges::equal(with.knots(), without.knots()));
  EXPECT_TRUE(std::ranges::equal(with.values(), without.values()));
}

TEST(Pava, AveragesTiesByTheirWeightsBeforePooling) {
  // Ties at x = 1 have the mean (1*0 + 3*4)/4 = 3, below the 3.5 at x = 2: no pooling.
  const PiecewiseLinear f = fit({2, 1, 1}, {3.5, 0, 4}, {1, 1, 3});
  EXPECT_DOUBLE_EQ(f(1), 3);
  EXPECT_DOUBLE_EQ(f(2), 3.5);
}

TEST(Pava, TreatsWeightTwoAsTheRowTwice) {
  RandomStream random(4);
  Vector x, y, w, x_twice, y_twice;
  for (int i = 0; i < 300; ++i) {
    const double xi = random.normal();
    const double yi = random.normal() + xi;
    const auto times = random.below(3);
    x.push_back(xi);
    y.push_back(yi);
    w.push_back(static_cast<double>(times));
    for (std::uint64_t t = 0; t < times; ++t) {
      x_twice.push_back(xi);
      y_twice.push_back(yi);
    }
  }
  expect_near(fit(x, y, w)(x_twice), fit(x_twice, y_twice)(x_twice), 1e-13);
}

TEST(Pava, FitsDecreasingFunctionsAsTheMirrorImage) {
  RandomStream random(5);
  Vector x(100), y(100), minus_x(100);
  for (std::size_t i = 0; i < 100; ++i) {
    x[i] = random.normal();
    minus_x[i] = -x[i];
    y[i] = random.normal() - x[i];
  }
  expect_near(fit(x, y, {}, false)(x), fit(minus_x, y)(minus_x), 1e-14);
}

TEST(Pava, IsTheSameWhateverTheOrderOfDistinctRowsAndTheThreads) {
  RandomStream random(6);
  Vector x(50000), y(50000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = random.normal();
    y[i] = random.normal() + x[i];
  }
  const PiecewiseLinear one = fit_isotonic({x, y, {}}, {.threads = 1});
  const PiecewiseLinear five = fit_isotonic({x, y, {}}, {.threads = 5});
  std::reverse(x.begin(), x.end());
  std::reverse(y.begin(), y.end());
  const PiecewiseLinear reversed = fit(x, y);
  EXPECT_TRUE(std::ranges::equal(one.values(), five.values()));
  EXPECT_TRUE(std::ranges::equal(one.values(), reversed.values()));
  EXPECT_TRUE(std::ranges::is_sorted(one.values()));
}

TEST(Pava, OfManyRowsIsThatOfTheOldestAlgorithm) {
  // Enough rows to be pooled in pieces; the reference pools one row at a time.
  RandomStream random(7);
  for (const double trend : {-2.0, 0.0, 1.0, 1e9}) {
    const std::size_t n = 700001;
    Vector y(n), w(n), mean, weight;
    std::vector<std::size_t> count;
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = random.normal() + trend * static_cast<double>(i) / static_cast<double>(n);
      w[i] = 0.5 + random.uniform();
      mean.push_back(y[i]);
      weight.push_back(w[i]);
      count.push_back(1);
      while (mean.size() > 1 && mean[mean.size() - 2] >= mean.back()) {
        const std::size_t last = mean.size() - 1;
        mean[last - 1] = (weight[last - 1] * mean[last - 1] + weight[last] * mean[last]) /
                         (weight[last - 1] + weight[last]);
        weight[last - 1] += weight[last];
        count[last - 1] += count[last];
        mean.pop_back();
        weight.pop_back();
        count.pop_back();
      }
    }
    const Vector values = pava(y, w, 1);
    EXPECT_EQ(values, pava(y, w, 5));
    EXPECT_TRUE(std::ranges::is_sorted(values));
    pava(y, w, y);
    EXPECT_EQ(values, y);
    for (std::size_t k = 0, i = 0; k < mean.size(); i += count[k++])
      ASSERT_NEAR(values[i], mean[k], 1e-10 * (1 + std::abs(trend)));
  }
}

TEST(Pava, FitsOneRowAndConstantX) {
  EXPECT_EQ(fit({3}, {7})(-1), 7);
  EXPECT_EQ(fit({3, 3, 3}, {1, 2, 6})(10), 3);
}

TEST(Pava, RefusesRowsItCannotFit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(fit({}, {}), InputError);
  EXPECT_THROW(fit({1, 2}, {1}), InputError);
  EXPECT_THROW(fit({1, nan}, {1, 2}), InputError);
  EXPECT_THROW(fit({1, 2}, {1, nan}), InputError);
  EXPECT_THROW(fit({1, 2}, {1, 2}, {1, -1}), InputError);
  EXPECT_THROW(fit({1, 2}, {1, 2}, {0, 0}), InputError);
}

}  // namespace
}  // namespace linkgistic

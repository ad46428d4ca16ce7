// Lipschitz isotonic regression against a plain quadratic program, and its limits.
#include "baseline/lipschitz_isotonic.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "baseline/pava.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

using Vector = std::vector<double>;

/// One constraint sum_k coefficient_k v_{index_k} >= bound.
struct Constraint {
  std::vector<std::pair<std::size_t, double>> terms;
  double bound;
};

/// min sum_i w_i (v_i - y_i)^2 under the constraints, by cyclic ascent on the dual (Hildreth 1957).
Vector quadratic_program(const Vector& y, const Vector& w, const std::vector<Constraint>& constraints) {
  Vector v = y;
  Vector dual(constraints.size(), 0.0);
  for (int sweep = 0; sweep < 2'000'000; ++sweep) {
    double change = 0;
    for (std::size_t c = 0; c < constraints.size(); ++c) {
      double slack = -constraints[c].bound;
      double norm = 0;
      for (const auto& [i, a] : constraints[c].terms) {
        slack += a * v[i];
        norm += a * a / w[i];
      }
      const double step = std::max(-slack / norm, -dual[c]);
      dual[c] += step;
      for (const auto& [i, a] : constraints[c].terms) {
        v[i] += step * a / w[i];
        change = std::max(change, std::abs(step * a / w[i]));
      }
    }
    if (change < 1e-15) break;
  }
  return v;
}

std::vector<Constraint> constraints_of(const Vector& x, const LipschitzOptions& options) {
  std::vector<Constraint> out;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double dx = x[i + 1] - x[i];
    out.push_back({{{i + 1, 1.0}, {i, -1.0}}, options.lower_slope * dx});
    if (std::isfinite(options.upper_slope))
      out.push_back({{{i, 1.0}, {i + 1, -1.0}}, -options.upper_slope * dx});
  }
  if (std::isfinite(options.lower)) out.push_back({{{0, 1.0}}, options.lower});
  if (std::isfinite(options.upper)) out.push_back({{{x.size() - 1, -1.0}}, -options.upper});
  return out;
}

TEST(LipschitzIsotonic, EqualsAPlainQuadraticProgramOnRandomProblems) {
  const double infinity = std::numeric_limits<double>::infinity();
  RandomStream random(1);
  for (int problem = 0; problem < 300; ++problem) {
    const std::size_t n = 1 + random.below(16);
    Vector x(n), y(n), w(n);
    double at = random.normal();
    for (std::size_t i = 0; i < n; ++i) {
      at += problem % 3 == 0 ? 1e-6 + 1e-3 * random.uniform() : random.uniform();
      x[i] = at;
      y[i] = problem % 2 == 0 ? random.normal() : static_cast<double>(random.below(2));
      w[i] = problem % 5 == 0 ? 1.0 : 0.2 + random.uniform();
    }
    LipschitzOptions options;
    options.lower_slope = problem % 4 == 0 ? 0.0 : 0.05 * random.uniform();
    options.upper_slope =
        problem % 7 == 0 ? infinity : options.lower_slope + (problem % 6 == 1 ? 0.0 : random.uniform());
    if (problem % 3 == 1) options.lower = 0.1;
    if (problem % 3 == 1 && problem % 2 == 0) options.upper = 0.1 + 0.06 * (x[n - 1] - x[0]) + 0.2;
    const Vector v = lipschitz_isotonic(x, y, w, options);
    const Vector reference = quadratic_program(y, w, constraints_of(x, options));
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_NEAR(v[i], reference[i], 1e-9) << "problem " << problem << " row " << i;
  }
}

TEST(LipschitzIsotonic, MergesTiesAndDropsZeroWeightsInUnsortedRows) {
  const Vector x{2, 1, 1, 3, 2.5, 1.5};
  const Vector y{0, 2, 5, 4, 100, 1};
  const Vector w{1, 2, 1, 1, 0, 2};
  const LipschitzOptions options{.upper_slope = 1.2};
  const PiecewiseLinear f = fit_lipschitz_isotonic({x, y, w}, options);
  const Vector distinct{1, 1.5, 2, 3};
  const Vector reference = quadratic_program({3, 1, 0, 4}, {3, 2, 1, 1}, constraints_of(distinct, options));
  ASSERT_TRUE(std::ranges::equal(f.knots(), distinct));
  for (std::size_t i = 0; i < distinct.size(); ++i) EXPECT_NEAR(f.values()[i], reference[i], 1e-9);
}

TEST(LipschitzIsotonic, WithoutAnUpperSlopeIsIsotonicRegression) {
  RandomStream random(2);
  Vector x(3000), y(3000), w(3000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i);
    y[i] = random.normal() + 1e-3 * x[i];
    w[i] = 0.1 + random.uniform();
  }
  const Vector v = lipschitz_isotonic(x, y, w, {.upper_slope = std::numeric_limits<double>::infinity()});
  const Vector isotonic = pava(y, w);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(v[i], isotonic[i], 1e-11);
}

TEST(LipschitzIsotonic, WithEqualSlopesIsALineOfThatSlopeThroughTheMeans) {
  const Vector x{0, 1, 3, 7};
  const Vector y{1, -1, 4, 2};
  const Vector w{1, 2, 1, 4};
  const Vector v = lipschitz_isotonic(x, y, w, {.lower_slope = 0.5, .upper_slope = 0.5});
  const double x_mean = (0 + 2 + 3 + 28) / 8.0;
  const double y_mean = (1 - 2 + 4 + 8) / 8.0;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(v[i], y_mean + 0.5 * (x[i] - x_mean), 1e-13);
}

TEST(LipschitzIsotonic, SatisfiesTheOptimalityConditionsOnManyRows) {
  // With multipliers: the sums g_i of w (v - y) up to row i are 0 where the slope is free, <= 0 where it is
  // at its lower bound (raising the rows up to i would lessen the cost) and >= 0 where it is at its upper
  // bound.
  RandomStream random(3);
  const std::size_t n = 20000;
  Vector x(n), y(n), w(n, 1.0);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<double>(i) / n;
    y[i] = random.uniform() < 1 / (1 + std::exp(4 - 8 * x[i])) ? 1.0 : 0.0;
  }
  const double slope = 1.0;
  const Vector v = lipschitz_isotonic(x, y, w, {.upper_slope = slope});
  double g = 0;
  int free = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    g += v[i] - y[i];
    const double s = (v[i + 1] - v[i]) / (x[i + 1] - x[i]);
    ASSERT_GE(s, -1e-9);
    ASSERT_LE(s, slope + 1e-9);
    ASSERT_TRUE(s < 1e-6 || g >= -1e-8) << i;
    ASSERT_TRUE(s > slope - 1e-6 || g <= 1e-8) << i;
    free += s > 1e-6 && s < slope - 1e-6;
  }
  EXPECT_NEAR(g + v[n - 1] - y[n - 1], 0, 1e-8);
  EXPECT_GT(free, 0);
}

TEST(LipschitzIsotonic, TakesNoQuadraticTimeWhenTheXAreNearlyTied) {
  // Every step moves the minimiser over all earlier breakpoints: 2 10^10 moves if each were moved by itself.
  const std::size_t n = 200000;
  Vector x(n), y(n), w(n, 1.0);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<double>(i) * 1e-12;
    y[i] = static_cast<double>(i % 2);
  }
  const auto start = std::chrono::steady_clock::now();
  const Vector v = lipschitz_isotonic(x, y, w, {});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(v[i], 0.5, 1e-6);
}

TEST(LipschitzIsotonic, FitsOneRow) {
  EXPECT_EQ(lipschitz_isotonic(Vector{2}, Vector{3}, Vector{1}, {}), Vector{3});
  EXPECT_EQ(lipschitz_isotonic(Vector{2}, Vector{3}, Vector{1}, {.lower = 0, .upper = 1}), Vector{1});
}

TEST(LipschitzIsotonic, RefusesBoundsThatNoFunctionMeets) {
  const Vector x{0, 1};
  EXPECT_THROW(lipschitz_isotonic(x, x, x, {.lower_slope = 2, .upper_slope = 1}), UsageError);
  EXPECT_THROW(
      lipschitz_isotonic(x, x, Vector{1, 1}, {.lower_slope = 2, .upper_slope = 3, .lower = 0, .upper = 1}),
      InputError);
}

}  // namespace
}  // namespace linkgistic

// Interpolation against lines, cubics, brute force and the function that a table is of.
#include "numeric/interpolate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

std::vector<double> random_knots(std::size_t count, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<double> knots{-2};
  while (knots.size() < count) knots.push_back(knots.back() + 0.01 + random.uniform());
  return knots;
}

// The cell by trying each.
std::size_t cell_by_trying(std::span<const double> knots, double x) {
  std::size_t cell = 0;
  while (cell + 2 < knots.size() && x >= knots[cell + 1]) ++cell;
  return cell;
}

TEST(KnotPlace, IsWhereTryingEveryCellFindsIt) {
  const std::vector<double> knots = random_knots(23, 1);
  for (int i = -50; i <= 600; ++i) {
    const double x = -4 + i / 30.0;
    const KnotPlace place = place_among(knots, x);
    const std::size_t cell = cell_by_trying(knots, x);
    ASSERT_EQ(place.cell, cell) << x;
    EXPECT_NEAR(place.share, (x - knots[cell]) / (knots[cell + 1] - knots[cell]), 1e-13);
  }
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    EXPECT_EQ(place_among(knots, knots[k]).cell, k);
    EXPECT_EQ(place_among(knots, knots[k]).share, 0);
  }
}

TEST(KnotPlace, OfEqualKnotsIsAfterTheLast) {
  const std::vector<double> knots{0, 1, 1, 3, 3};
  EXPECT_EQ(place_among(knots, 1).cell, 2U);
  EXPECT_EQ(place_among(knots, 1).share, 0);
  EXPECT_EQ(place_among(knots, 3).cell, 3U);
  EXPECT_EQ(place_among(knots, 3).share, 1);
  EXPECT_EQ(place_among(knots, 7).held().between(5, 6), 6);
}

TEST(KnotPlace, BeyondTheEndsGoesStraightOnUnlessItIsHeld) {
  const std::vector<double> knots{1, 2, 4};
  EXPECT_DOUBLE_EQ(place_among(knots, 8).between(10, 20), 40);
  EXPECT_DOUBLE_EQ(place_among(knots, 0).between(10, 20), 0);
  EXPECT_EQ(place_among(knots, 8).held().between(10, 20), 20);
  EXPECT_EQ(place_among(knots, 0).held().between(10, 20), 10);
}

TEST(KnotPlace, BetweenIsExactAtTheEndsAndIncreasing) {
  RandomStream random(2);
  for (int i = 0; i < 2000; ++i) {
    const double a = random.normal(), b = a + std::pow(random.uniform(), 8);
    EXPECT_EQ((KnotPlace{0, 0}.between(a, b)), a);
    EXPECT_EQ((KnotPlace{0, 1}.between(a, b)), b);
    double last = a;
    for (int k = 1; k <= 16; ++k) {
      const double at = KnotPlace{0, k / 16.0}.between(a, b);
      EXPECT_GE(at, last);
      last = at;
    }
  }
}

TEST(KnotPlace, OnAGridIsThatAmongItsNumbers) {
  const std::vector<double> knots{0, 1, 2, 3, 4, 5};
  for (double x = -2; x < 8; x += 0.125) {
    EXPECT_EQ(place_on_grid(x, 5).cell, place_among(knots, x).cell) << x;
    EXPECT_EQ(place_on_grid(x, 5).share, place_among(knots, x).share) << x;
  }
}

TEST(PiecewiseLinear, IsExactOnLinesAndConstantOutside) {
  const std::vector<double> knots = random_knots(9, 4);
  std::vector<double> values;
  for (const double x : knots) values.push_back(3 - 2 * x);
  const PiecewiseLinear f(knots, values);
  for (double x = knots.front(); x < knots.back(); x += 0.01) EXPECT_NEAR(f(x), 3 - 2 * x, 1e-13);
  EXPECT_EQ(f(-100), values.front());
  EXPECT_EQ(f(std::numeric_limits<double>::infinity()), values.back());
  EXPECT_EQ(PiecewiseLinear({1}, {7})(1e9), 7);
}

TEST(PiecewiseLinear, ReachesAcrossAllDoubles) {
  constexpr double most = std::numeric_limits<double>::max();
  const PiecewiseLinear f({-most, most}, {0, 1});
  EXPECT_DOUBLE_EQ(f(0), 0.5);
  EXPECT_DOUBLE_EQ(f(most / 2), 0.75);
}

TEST(PiecewiseLinear, RefusesKnotsThatDoNotIncrease) {
  EXPECT_THROW(PiecewiseLinear({0, 0}, {1, 2}), InputError);
  EXPECT_THROW(PiecewiseLinear({0, 1}, {1}), InputError);
  EXPECT_THROW(PiecewiseLinear({}, {}), InputError);
}

double polynomial(double x) { return 2 + x * (-1 + x * (0.5 + 0.3 * x)); }
double its_slope(double x) { return -1 + x * (1 + 0.9 * x); }

TEST(Cubic, IsEveryCubicAndHasItsCoefficients) {
  const Cubic c{polynomial(0), polynomial(1), its_slope(0), its_slope(1)};
  for (double x = -1; x <= 2; x += 0.25) EXPECT_NEAR(c.at(x), polynomial(x), 1e-14) << x;
  const double wanted[] = {2, -1, 0.5, 0.3};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(c.coefficients()[i], wanted[i], 1e-14);
  EXPECT_EQ(c.at(0), c.left);
  EXPECT_EQ(c.at(1), c.right);
}

TEST(MonotoneCubic, IsExactOnCubicsByTheirSlopesAndStraightBeyond) {
  const std::vector<double> knots = random_knots(6, 8);
  std::vector<double> values, slopes;
  for (const double x : knots) {
    values.push_back(polynomial(x));
    slopes.push_back(its_slope(x));
  }
  for (double x = knots.front(); x <= knots.back(); x += 0.01)
    EXPECT_NEAR(cubic_through(knots, values, slopes, x), polynomial(x), 1e-13);
  EXPECT_NEAR(cubic_through(knots, values, slopes, knots.front() - 3), values.front() - 3 * slopes.front(),
              1e-13);
  EXPECT_NEAR(cubic_through(knots, values, slopes, knots.back() + 3), values.back() + 3 * slopes.back(),
              1e-13);
}

TEST(MonotoneCubic, OfALineIsTheLine) {
  const std::vector<double> knots = random_knots(6, 9);
  std::vector<double> values;
  for (const double x : knots) values.push_back(4 * x + 1);
  for (const double slope : monotone_slopes(knots, values)) EXPECT_NEAR(slope, 4, 1e-12);
  EXPECT_EQ(monotone_slopes(std::vector<double>{1}, std::vector<double>{5}), std::vector<double>{0});
}

TEST(MonotoneCubic, IncreasesWithItsValues) {
  RandomStream random(6);
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<double> knots = random_knots(12, 100 + static_cast<std::uint64_t>(trial));
    std::vector<double> values{0};
    while (values.size() < knots.size())
      values.push_back(values.back() + std::pow(random.uniform(), 6) + 1e-9);
    const std::vector<double> slopes = monotone_slopes(knots, values);
    double last = -1e300;
    for (double x = knots.front() - 1; x < knots.back() + 1; x += 0.003) {
      const double at = cubic_through(knots, values, slopes, x);
      EXPECT_GE(at, last - 1e-15) << x;
      last = at;
    }
  }
}

// nu(m) = constant + sum_j a_j sin(w j t + phase_j), t = (m - middle)/half, w = pi/2.
struct Range {
  double lower, upper;
  [[nodiscard]] double middle() const { return (lower + upper) / 2; }
  [[nodiscard]] double half() const { return (upper - lower) / 2; }
};

struct Waves {
  Range range;
  std::vector<double> amplitude, phase;

  Waves(std::size_t harmonics, Range over, std::uint64_t seed) : range(over) {
    RandomStream random(seed);
    for (std::size_t j = 0; j < harmonics; ++j) {
      amplitude.push_back(random.normal());
      phase.push_back(10 * random.uniform());
    }
  }
  [[nodiscard]] double angle(std::size_t j, double m) const {
    return std::numbers::pi / 2 * static_cast<double>(j + 1) * (m - range.middle()) / range.half() + phase[j];
  }
  [[nodiscard]] double nu(double m) const {
    double sum = 3;
    for (std::size_t j = 0; j < amplitude.size(); ++j) sum += amplitude[j] * std::sin(angle(j, m));
    return sum;
  }
  [[nodiscard]] double slope(double m) const {
    double sum = 0;
    for (std::size_t j = 0; j < amplitude.size(); ++j) {
      const double w = std::numbers::pi / 2 * static_cast<double>(j + 1) / range.half();
      sum += w * amplitude[j] * std::cos(angle(j, m));
    }
    return sum;
  }
  [[nodiscard]] double size() const {
    double sum = 0;
    for (const double a : amplitude) sum += std::abs(a);
    return sum;
  }
};

template <class Nu, class Slope>
CubicTable table(const Range& range, std::size_t cells, const Nu& nu, const Slope& slope) {
  std::vector<double> values, slopes;
  for (std::size_t i = 0; i <= cells; ++i) {
    const double m =
        range.lower + (range.upper - range.lower) * static_cast<double>(i) / static_cast<double>(cells);
    values.push_back(nu(m));
    slopes.push_back(slope(m));
  }
  return {range.lower, range.upper, values, slopes};
}

TEST(CubicTable, With64CellsAPeriodIsWithinANanoOfAnyHarmonics) {
  for (const std::size_t harmonics : {2U, 32U, 128U}) {
    const Waves waves(harmonics, {-7, 1}, harmonics);
    const CubicTable map = table(
        waves.range, 128 * harmonics, [&](double m) { return waves.nu(m); },
        [&](double m) { return waves.slope(m); });
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
      const double m = -7 + 8 * (i + 0.5) / 20000;
      double nu[] = {m};
      map.apply(nu);
      worst = std::max(worst, std::abs(nu[0] - waves.nu(m)));
    }
    EXPECT_LT(worst, 1e-9 * waves.size()) << harmonics;
  }
}

TEST(CubicTable, GoesOnWithTheSlopesOfItsEdges) {
  const Waves waves(4, {2, 5}, 1);
  const CubicTable map = table(
      waves.range, 512, [&](double m) { return waves.nu(m); }, [&](double m) { return waves.slope(m); });
  double nu[] = {-1.0, 2.0, 5.0, 9.0};
  map.apply(nu);
  EXPECT_NEAR(nu[0], waves.nu(2) - 3 * waves.slope(2), 1e-12);
  EXPECT_NEAR(nu[1], waves.nu(2), 1e-12);
  EXPECT_NEAR(nu[2], waves.nu(5), 1e-12);
  EXPECT_NEAR(nu[3], waves.nu(5) + 4 * waves.slope(5), 1e-12);
}

TEST(CubicTable, IsIncreasingWhereItsNodesAre) {
  // Slopes that no increasing function of these few nodes has.
  RandomStream random(3);
  std::vector<double> values{0}, slopes{0};
  for (int i = 0; i < 64; ++i) {
    values.push_back(values.back() + std::pow(random.uniform(), 4));
    slopes.push_back(200 * random.uniform());
  }
  const CubicTable map(0, 1, values, slopes);
  double last = -1;
  for (int i = 0; i <= 64 * 50; ++i) {
    double nu[] = {i / (64 * 50.0)};
    map.apply(nu);
    EXPECT_GE(nu[0], last - 1e-15);
    last = nu[0];
  }
}

TEST(CubicTable, WithoutNodesIsTheIdentity) {
  double values[] = {-3.0, 0.25, 1e300};
  CubicTable().apply(values);
  EXPECT_EQ(values[0], -3.0);
  EXPECT_EQ(values[1], 0.25);
  EXPECT_EQ(values[2], 1e300);
}

}  // namespace
}  // namespace linkgistic

// The table that predictions take nu from, against the function that it is of.
#include "classification/link_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// nu(m) = constant + sum_j a_j sin(w j t + phase_j), t = (m - middle)/half, w = pi/2.
struct Waves {
  ScoreRange range;
  std::vector<double> amplitude, phase;

  Waves(std::size_t harmonics, ScoreRange over, std::uint64_t seed) : range(over) {
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
LinkMap table(const ScoreRange& range, std::size_t cells, const Nu& nu, const Slope& slope) {
  LinkValues nodes;
  for (std::size_t i = 0; i <= cells; ++i) {
    const double m =
        range.lower + (range.upper - range.lower) * static_cast<double>(i) / static_cast<double>(cells);
    nodes.nu.push_back(nu(m));
    nodes.slope.push_back(slope(m));
  }
  return {range, nodes};
}

TEST(LinkMap, IsWithinItsStatedErrorOfAnyHarmonics) {
  for (const std::size_t harmonics : {2U, 32U, 128U}) {
    const Waves waves(harmonics, {-7, 1}, harmonics);
    const LinkMap map = table(
        waves.range, LinkMap::cells_for(harmonics), [&](double m) { return waves.nu(m); },
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

TEST(LinkMap, GoesOnWithTheSlopesOfItsEdges) {
  const Waves waves(4, {2, 5}, 1);
  const LinkMap map = table(
      waves.range, 512, [&](double m) { return waves.nu(m); }, [&](double m) { return waves.slope(m); });
  double nu[] = {-1.0, 2.0, 5.0, 9.0};
  map.apply(nu);
  EXPECT_NEAR(nu[0], waves.nu(2) - 3 * waves.slope(2), 1e-12);
  EXPECT_NEAR(nu[1], waves.nu(2), 1e-12);
  EXPECT_NEAR(nu[2], waves.nu(5), 1e-12);
  EXPECT_NEAR(nu[3], waves.nu(5) + 4 * waves.slope(5), 1e-12);
}

TEST(LinkMap, IsIncreasingWhereItsNodesAre) {
  // Slopes that no increasing function of these few nodes has.
  RandomStream random(3);
  LinkValues nodes{{0}, {0}};
  for (int i = 0; i < 64; ++i) {
    nodes.nu.push_back(nodes.nu.back() + std::pow(random.uniform(), 4));
    nodes.slope.push_back(200 * random.uniform());
  }
  const LinkMap map({0, 1}, nodes);
  double last = -1;
  for (int i = 0; i <= 64 * 50; ++i) {
    double nu[] = {i / (64 * 50.0)};
    map.apply(nu);
    EXPECT_GE(nu[0], last - 1e-15);
    last = nu[0];
  }
}

TEST(LinkMap, WithoutNodesIsTheIdentity) {
  double values[] = {-3.0, 0.25, 1e300};
  LinkMap().apply(values);
  EXPECT_EQ(values[0], -3.0);
  EXPECT_EQ(values[1], 0.25);
  EXPECT_EQ(values[2], 1e300);
}

}  // namespace
}  // namespace linkgistic

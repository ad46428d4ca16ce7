#include "numeric/exponential_cells.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> theta, a, b;
  double lower, upper;

  Rows(std::size_t n, double from, double to) : theta(n), a(n), b(n), lower(from), upper(to) {
    RandomStream random(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      theta[i] = from + (to - from) * random.uniform();
      a[i] = random.uniform();
      b[i] = 2 * random.uniform() - 1;
    }
    if (n > 1) theta[0] = from, theta[n - 1] = to;  // the ends are in cells, too
  }

  [[nodiscard]] ExponentialCells cells(int degree, int threads) const {
    ExponentialCells cells(degree, lower, upper);
    const auto fill = [&](std::size_t first, std::span<double> angles,
                          std::span<const std::span<double>> weights) {
      const auto copy = [&](const std::vector<double>& from, std::span<double> to) {
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
      };
      copy(theta, angles), copy(a, weights[0]), copy(b, weights[1]);
    };
    cells.add(theta.size(), fill, threads);
    return cells;
  }
};

// The bound of the header: the series, rounding of the turns, and of a sum over the rows.
double bound(double j, double size) {
  constexpr double eps = 2.3e-16;
  return (1.0e-15 + (2 * (j + 2) + 16) * eps) * size;
}

class ExponentialCellsOf : public testing::TestWithParam<int> {};

TEST_P(ExponentialCellsOf, EqualPlainSumsInLongDouble) {
  const int degree = GetParam();
  const double pi = std::numbers::pi;
  for (const auto& [from, to] :
       {std::pair{-pi / 2, pi / 2}, {0.0, pi}, {-2.9, -2.1}, {5.0, 13.0}, {0.3, 0.3}}) {
    SCOPED_TRACE(from);
    const Rows rows(3001, from, to);
    const ExponentialCells cells = rows.cells(degree, 1);
    const double farthest = std::max(std::abs(from), std::abs(to));
    for (std::size_t measure = 0; measure < 2; ++measure) {
      const std::vector<double>& weight = measure == 0 ? rows.a : rows.b;
      for (int power = 0; power <= 4; ++power) {
        const int most = power > 0 ? degree / 2 : degree;
        const ExponentialSums sums = cells.sums(measure, power, most);
        ASSERT_EQ(sums.cosine.size(), static_cast<std::size_t>(most) + 1);
        for (int j = 0; j <= most; j += std::max(1, most / 7)) {
          long double re = 0, im = 0, size = 0;
          for (std::size_t i = 0; i < weight.size(); ++i) {
            const long double theta = rows.theta[i];
            const long double w = weight[i] * std::pow(theta, static_cast<long double>(power));
            re += w * std::cos(j * theta);
            im += w * std::sin(j * theta);
            size += std::abs(static_cast<long double>(weight[i]));
          }
          // Powers are relative to the farthest angle, which a cell's own may be far below; angles of many
          // turns lose digits as the turns do.
          const double allowed = bound(j * std::max(1.0, farthest / pi), static_cast<double>(size)) *
                                 std::pow(farthest, power) * (1 + power);
          const auto at = static_cast<std::size_t>(j);
          EXPECT_NEAR(sums.cosine[at], static_cast<double>(re), allowed) << measure << power << j;
          EXPECT_NEAR(sums.sine[at], static_cast<double>(im), allowed) << measure << power << j;
        }
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Degrees, ExponentialCellsOf, testing::Values(1, 2, 7, 32, 64, 100, 512));

TEST(ExponentialCells, AreTheSameBitsForAnyNumberOfThreads) {
  const Rows rows(600'011, -1.5, 1.5);
  const ExponentialSums one = rows.cells(32, 1).sums(0, 0, 32);
  for (const int threads : {2, 3, 7}) {
    const ExponentialSums many = rows.cells(32, threads).sums(0, 0, 32);
    EXPECT_EQ(one.cosine, many.cosine);
    EXPECT_EQ(one.sine, many.sine);
  }
}

TEST(ExponentialCells, AddRowsToThoseThatTheyHave) {
  const Rows rows(5000, -1, 2);
  ExponentialCells twice = rows.cells(16, 1);
  const auto fill = [&](std::size_t first, std::span<double> angles,
                        std::span<const std::span<double>> weights) {
    for (std::size_t i = 0; i < angles.size(); ++i) {
      angles[i] = rows.theta[first + i];
      weights[0][i] = rows.a[first + i];
      weights[1][i] = rows.b[first + i];
    }
  };
  twice.add(rows.theta.size(), fill, 1);
  const ExponentialSums sums = twice.sums(0, 1, 8), half = rows.cells(16, 1).sums(0, 1, 8);
  for (std::size_t j = 0; j < half.cosine.size(); ++j) {
    EXPECT_NEAR(sums.cosine[j], 2 * half.cosine[j], 1e-11);
    EXPECT_NEAR(sums.sine[j], 2 * half.sine[j], 1e-11);
  }
}

TEST(ExponentialCells, RefuseHarmonicsThatTheyAreTooWideFor) {
  const Rows rows(10, 0, 1);
  const ExponentialCells cells = rows.cells(8, 1);
  EXPECT_THROW((void)cells.sums(0, 0, 9), std::logic_error);
  EXPECT_THROW((void)cells.sums(0, 1, 5), std::logic_error);
}

}  // namespace
}  // namespace linkgistic

#include "source/harmonic_sums.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct Made {
  std::vector<double> x, r, h;
  explicit Made(std::size_t n) : x(n), r(n), h(n) {
    RandomStream random(3);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = 2 * random.uniform() - 1;
      r[i] = 2 * random.uniform() - 1;
      h[i] = random.uniform();
    }
  }
};

// Sums of 20,000 weights of size one, both ways within rounding.
constexpr double close = 1e-9;

void expect_equal(const ExponentialSums& a, const ExponentialSums& b) {
  ASSERT_EQ(a.cosine.size(), b.cosine.size());
  for (std::size_t j = 0; j < a.cosine.size(); ++j) {
    EXPECT_NEAR(a.cosine[j], b.cosine[j], close) << j;
    EXPECT_NEAR(a.sine[j], b.sine[j], close) << j;
  }
}

TEST(HarmonicSums, OfManyRowsByCellsEqualThoseRowByRow) {
  const Made made(20'000);
  for (const double origin : {-1.0, 0.0, 0.3}) {
    for (const double c : {0.25, 0.5, 1.0}) {
      const HarmonicRows rows{made.x, made.r, made.h, origin, 3.14159265358979 * c, 32, true};
      const HarmonicSums cells = harmonic_sums(rows, 2), plain = harmonic_sums_by_rows(rows, 2);
      EXPECT_NE(cells.h.cosine[5], plain.h.cosine[5]) << "both went row by row";
      expect_equal(cells.h, plain.h);
      expect_equal(cells.hu, plain.hu);
      expect_equal(cells.r, plain.r);
      expect_equal(cells.hu2_j, plain.hu2_j);
      EXPECT_NEAR(cells.hu2, plain.hu2, close);
      EXPECT_NEAR(cells.ru, plain.ru, close);
      EXPECT_NEAR(cells.hu3, plain.hu3, close);
      EXPECT_NEAR(cells.hu4, plain.hu4, close);
      EXPECT_NEAR(cells.ru2, plain.ru2, close);
    }
  }
}

TEST(HarmonicSums, OfFewOrScatteredRowsAreMadeRowByRow) {
  const Made few(500);
  const HarmonicRows rows{few.x, few.r, few.h, 0, 1.5, 8, false};
  EXPECT_EQ(harmonic_sums(rows, 1).h.cosine, harmonic_sums_by_rows(rows, 1).h.cosine);
  Made scattered(20'000);
  scattered.x[7] = 1e9;
  const HarmonicRows far{scattered.x, scattered.r, scattered.h, 0, 1.5, 8, false};
  EXPECT_EQ(harmonic_sums(far, 1).h.cosine, harmonic_sums_by_rows(far, 1).h.cosine);
}

}  // namespace
}  // namespace linkgistic

#include "numeric/extent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

TEST(Extent, IsThatOfTheSortedNumbers) {
  RandomStream random(1);
  for (std::size_t size = 1; size < 20; ++size) {
    std::vector<double> values(size);
    for (double& value : values) value = random.normal();
    const Extent extent = extent_of(values);
    std::sort(values.begin(), values.end());
    EXPECT_EQ(extent.lower, values.front());
    EXPECT_EQ(extent.upper, values.back());
    EXPECT_TRUE(extent.finite);
  }
}

TEST(Extent, OfNothingIsEmptyAndFinite) {
  const Extent extent = extent_of({});
  EXPECT_GT(extent.lower, extent.upper);
  EXPECT_TRUE(extent.finite);
}

TEST(Extent, TellsANumberThatIsNotFiniteAnywhere) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, -infinity, std::nan("")}) {
    for (std::size_t place = 0; place < 11; ++place) {
      std::vector<double> values(11, 1e308);
      values[place] = bad;
      EXPECT_FALSE(extent_of(values).finite);
    }
  }
}

}  // namespace
}  // namespace linkgistic

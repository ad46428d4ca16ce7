// Sums of outer products against a product of Eigen's.
#include "numeric/outer_products.hpp"

#include <gtest/gtest.h>

#include "numeric/aligned_vector.hpp"
#include "numeric/random.hpp"
#include "numeric/types.hpp"

namespace linkgistic {
namespace {

class OuterProducts : public testing::TestWithParam<std::size_t> {};

TEST_P(OuterProducts, AreAddedUpToTheDiagonal) {
  const std::size_t stride = GetParam();
  RandomStream random(1);
  for (const std::size_t rows : {0, 1, 5, 130}) {
    AlignedVector<double> x(rows * stride), sum(stride * stride, 2.0);
    for (double& v : x) v = random.normal();
    add_outer_products(x.data(), rows, stride, sum.data());
    const auto width = static_cast<Index>(stride);
    const Eigen::Map<const Matrix> columns(x.data(), width, static_cast<Index>(rows));
    const Matrix exact = columns * columns.transpose();
    for (Index j = 0; j < width; ++j)
      for (Index i = 0; i <= j; ++i)
        ASSERT_NEAR(sum[static_cast<std::size_t>(j * width + i)], 2 + exact(i, j), 1e-11) << i << " " << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, OuterProducts, testing::Values(8, 16, 24, 40, 72, 200));

}  // namespace
}  // namespace linkgistic

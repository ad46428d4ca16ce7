// Triangular systems against Eigen's.
#include "numeric/lower_triangular.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

class LowerTriangular : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const Index n = GetParam();
    RandomStream random(3);
    Matrix root(n, n);
    for (double& value : root.reshaped()) value = random.normal();
    square_ = root * root.transpose() + Matrix::Identity(n, n);
    x_.resize(n);
    for (double& value : x_) value = random.normal();
    lower_ = square_;
    cholesky_in_place(lower_);
    exact_ = square_.llt().matrixL();
  }
  Matrix square_, lower_, exact_;
  Vector x_;
};

TEST_P(LowerTriangular, FactorIsEigens) {
  const Matrix found = lower_.triangularView<Eigen::Lower>();
  EXPECT_LT((found - exact_).norm(), 1e-13 * exact_.norm());
}

TEST_P(LowerTriangular, SolvesAndProductsAreTheDenseOnes) {
  Vector y = x_;
  solve_lower(lower_, y);
  EXPECT_LT((exact_ * y - x_).norm(), 1e-12 * x_.norm());
  y = x_;
  solve_lower_transposed(lower_, y);
  EXPECT_LT((exact_.transpose() * y - x_).norm(), 1e-12 * x_.norm());
  lower_transposed_product(lower_, x_, y);
  EXPECT_LT((exact_.transpose() * x_ - y).norm(), 1e-12 * y.norm());
  y = 2 * x_;
  add_lower_product(lower_, 0.5, x_, y);
  EXPECT_LT((exact_ * x_ / 2 + 2 * x_ - y).norm(), 1e-12 * y.norm());
}

TEST_P(LowerTriangular, InverseIsUpperAndTransposed) {
  Matrix upper = Matrix::Ones(2, 2);
  invert_lower_transposed(lower_, upper);
  EXPECT_LT((upper - exact_.transpose().inverse()).norm(), 1e-12 * upper.norm());
}

INSTANTIATE_TEST_SUITE_P(Sizes, LowerTriangular, testing::Values(1, 2, 3, 4, 5, 8, 17, 33));

}  // namespace
}  // namespace linkgistic

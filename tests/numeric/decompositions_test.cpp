// Decompositions against products, and against Eigen's general solvers.
#include "numeric/decompositions.hpp"

#include <Eigen/LU>
#include <cmath>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed);
  Matrix m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = random.normal();
  return m;
}

Matrix definite(Index n) {
  const Matrix b = random_matrix(n, n, 1);
  return b * b.transpose() + Matrix::Identity(n, n);
}

// Positive and negative eigenvalues.
Matrix indefinite(Index n) {
  const Matrix b = random_matrix(n, n, 2);
  return b + b.transpose();
}

double largest(const Matrix& m) { return m.cwiseAbs().maxCoeff(); }

class Decompositions : public testing::TestWithParam<Index> {};

TEST_P(Decompositions, OfCholeskyMultiplyToTheMatrix) {
  const Matrix a = definite(GetParam());
  const Cholesky root(a);
  ASSERT_TRUE(root.positive());
  EXPECT_LT(largest(root.lower() * root.lower().transpose() - a), 1e-12 * largest(a));
  EXPECT_EQ(largest(root.lower() - Matrix(root.lower().triangularView<Eigen::Lower>())), 0);
  EXPECT_NEAR(root.log_determinant(), std::log(a.fullPivLu().determinant()),
              1e-10 * static_cast<double>(a.rows()));
}

TEST_P(Decompositions, OfCholeskySolve) {
  const Matrix a = definite(GetParam());
  const Matrix b = random_matrix(a.rows(), 3, 3);
  const Cholesky root(a);
  const Matrix exact = a.fullPivLu().solve(b);
  EXPECT_LT(largest(root.solve(b) - exact), 1e-11 * largest(exact));
  EXPECT_LT(largest(root.solve(Vector(b.col(1))) - exact.col(1)), 1e-11 * largest(exact));
  EXPECT_LT(largest(root.lower() * root.solve_lower(b) - b), 1e-12 * largest(b));
  EXPECT_LT(largest(root.lower() * root.solve_lower(Vector(b.col(2))) - b.col(2)), 1e-12 * largest(b));
  const Matrix identity = Matrix::Identity(a.rows(), a.rows());
  EXPECT_LT(largest(a * root.inverse() - identity), 1e-10);
  EXPECT_LT(largest(root.lower() * root.lower_inverse() - identity), 1e-12);
}

TEST_P(Decompositions, OfCholeskyReadTheLowerTriangleAlone) {
  const Matrix a = definite(GetParam());
  const Matrix half = a.triangularView<Eigen::Lower>();
  EXPECT_EQ(Cholesky(half).lower(), Cholesky(a).lower());
}

TEST_P(Decompositions, OfMatricesOfAnySignSolve) {
  const Matrix a = indefinite(GetParam());
  const Vector b = random_matrix(a.rows(), 1, 4);
  const SignedCholesky factors(a);
  EXPECT_LT(largest(a * factors.solve(b) - b), 1e-10 * largest(factors.solve(b)) * largest(a));
  EXPECT_NEAR(factors.log_absolute_determinant(), std::log(std::abs(a.fullPivLu().determinant())), 1e-9);
}

TEST_P(Decompositions, OfEigenvaluesMultiplyToTheMatrix) {
  const Matrix a = indefinite(GetParam());
  const SymmetricEigen eigen(a);
  EXPECT_LT(largest(eigen.with(eigen.eigenvalues()) - a), 1e-12 * largest(a));
  EXPECT_LT(largest(eigen.eigenvalues() - eigenvalues(a)), 1e-12 * largest(a));
  EXPECT_LT(largest(eigen.with(eigen.eigenvalues().cwiseAbs2()) - a * a), 1e-11 * largest(a * a));
  for (Index i = 1; i < a.rows(); ++i) EXPECT_LE(eigen.eigenvalues()[i - 1], eigen.eigenvalues()[i]);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Decompositions, testing::Values(1, 2, 7, 33, 150));

TEST(Cholesky, RefusesWhatIsNotPositive) {
  EXPECT_FALSE(Cholesky(indefinite(7)).positive());
  Matrix a = definite(7);
  a(3, 3) = std::nan("");
  EXPECT_FALSE(Cholesky(a).positive());
}

TEST(LowerRoot, HoldsMatricesWithoutFullRank) {
  const Matrix half = random_matrix(9, 4, 5);
  const Matrix a = half * half.transpose();
  const Matrix root = lower_root(a);
  EXPECT_LT(largest(root * root.transpose() - a), 1e-12 * largest(a));
  EXPECT_EQ(largest(root - Matrix(root.triangularView<Eigen::Lower>())), 0);
}

}  // namespace
}  // namespace linkgistic

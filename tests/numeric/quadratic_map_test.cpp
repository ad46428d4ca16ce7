#include "numeric/quadratic_map.hpp"

#include <gtest/gtest.h>

#include "numeric/derivative_check.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed);
  return Matrix::NullaryExpr(rows, cols, [&] { return random.normal(); });
}

QuadraticMap random_map(Index inputs, Index outputs) {
  QuadraticMap map(inputs, outputs);
  RandomStream random(3);
  for (Index p = 0; p < outputs; ++p) {
    map.add_linear(p, p % inputs, random.normal());
    for (Index i = 0; i < inputs; ++i) {
      for (Index j = 0; j <= i; ++j) map.add_quadratic(p, i, j, random.normal());
    }
  }
  return map;
}

class QuadraticMapContractions : public testing::Test {
 protected:
  QuadraticMap map_ = random_map(4, 7);
  Vector g_ = random_matrix(4, 1, 5);
};

TEST_F(QuadraticMapContractions, JacobianIsTheDerivativeOfTheValue) {
  const Matrix numeric = numeric_jacobian([&](const Vector& g) { return map_.value(g); }, g_);
  EXPECT_LT(relative_difference(map_.jacobian(g_), numeric), 1e-10);
}

TEST_F(QuadraticMapContractions, CurvatureIsTheDerivativeOfTheJacobian) {
  const Vector r = random_matrix(7, 1, 6);
  const Matrix numeric =
      numeric_jacobian([&](const Vector& g) { return Vector(map_.jacobian(g).transpose() * r); }, g_);
  EXPECT_LT(relative_difference(map_.curvature(r), numeric), 1e-10);
}

TEST_F(QuadraticMapContractions, TraceAndContractAgreeWithTheCurvatureOfEachOutput) {
  const Matrix a = random_matrix(4, 4, 7);
  const Matrix s = a + a.transpose();
  const Matrix y = random_matrix(7, 4, 8);
  Vector contracted = Vector::Zero(4);
  for (Index p = 0; p < 7; ++p) {
    const Matrix second = map_.curvature(Vector::Unit(7, p));
    EXPECT_NEAR(map_.trace(s)[p], second.cwiseProduct(s).sum(), 1e-12);
    contracted += second * y.row(p).transpose();
  }
  EXPECT_LT(relative_difference(map_.contract(y), contracted), 1e-13);
}

}  // namespace
}  // namespace linkgistic

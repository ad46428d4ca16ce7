#include "response/slope_ridge.hpp"

#include <gtest/gtest.h>

#include "numeric/derivative_check.hpp"
#include "response/bernoulli.hpp"
#include "response/pointwise_data.hpp"
#include "source/harmonics.hpp"

namespace linkgistic {
namespace {

TEST(SlopeRidge, AddsTheSquaredSlopeAndItsDerivatives) {
  const auto features = std::make_shared<Harmonics>(2, 0.5);
  const std::vector<double> x{-0.8, -0.1, 0.4, 0.9}, y{0, 1, 0, 1};
  const std::vector<double> share{0.1, 0.2, 0.3, 0.4};
  const auto rows =
      std::make_shared<PointwiseData>(features, std::make_shared<BernoulliResponse>(), x, y, share, 1);
  Matrix g = Matrix::Zero(5, 5);
  for (std::size_t n = 0; n < x.size(); ++n) {
    Vector d(5);
    features->derivative(x[n], d);
    g += share[n] * d * d.transpose();
  }
  const SlopeRidge ridge(rows, g, 3.0);
  const Vector kappa{{0.2, -0.5, 0.7, 0.1, 0.4}};
  // Slopes by differences of nu itself.
  double square = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double slope = (features->at(x[n] + 1e-5) - features->at(x[n] - 1e-5)).dot(kappa) / 2e-5;
    square += share[n] * slope * slope;
  }
  EXPECT_NEAR(ridge.value(kappa, Vector()), rows->value(kappa, Vector()) - 1.5 * square, 1e-8);
  const DataDerivatives d = ridge.derivatives(kappa, Vector());
  EXPECT_DOUBLE_EQ(d.value, ridge.value(kappa, Vector()));
  const auto value = [&](const Vector& at) { return Vector::Constant(1, ridge.value(at, Vector())); };
  const auto gradient = [&](const Vector& at) { return ridge.derivatives(at, Vector()).gradient; };
  EXPECT_LT(relative_difference(d.gradient.transpose(), numeric_jacobian(value, kappa)), 1e-8);
  EXPECT_LT(relative_difference(d.curvature, numeric_jacobian(gradient, kappa)), 1e-8);
}

}  // namespace
}  // namespace linkgistic

// A source inside its range and beyond, against its features one point at a time.
#include "source/source_curve.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/random.hpp"
#include "source/harmonics.hpp"
#include "source/integrated_harmonics.hpp"
#include "source/nystrom_basis.hpp"
#include "source/places.hpp"

namespace linkgistic {
namespace {

std::vector<std::shared_ptr<const Features>> bases() {
  const auto nystrom = std::make_shared<NystromBasis>(Vector::LinSpaced(7, -1.2, 1.2), 5.0, true);
  return {std::make_shared<IntegratedHarmonics>(8, 0.4), std::make_shared<Harmonics>(5, 0.5),
          std::make_shared<NystromProducts>(nystrom, 0.1)};
}

Vector random_kappa(Index size, std::uint64_t seed) {
  RandomStream random(seed);
  return Vector::NullaryExpr(size, [&] { return random.normal(); });
}

double slope_at(const Features& features, double t, const Vector& kappa) {
  Vector phi(features.size());
  features.derivative(t, phi);
  return kappa.dot(phi);
}

constexpr double lower = -0.7, upper = 1.3;
const std::vector<double> places{-9, -0.7001, lower, -0.2, 0, 0.9, upper, 1.3001, 40};

TEST(SourceCurve, IsItsFeaturesInsideAndTheirTangentBeyond) {
  for (const auto& features : bases()) {
    const Vector kappa = random_kappa(features->size(), 3);
    const SourceCurve curve(features, kappa, lower, upper);
    const Vector values = curve.values(places, 2);
    const SourceCurve::Points points = curve.at(places, 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto k = static_cast<Index>(i);
      const double edge = places[i] < lower ? lower : places[i] > upper ? upper : places[i];
      const double slope = slope_at(*features, edge, kappa);
      const double value = kappa.dot(features->at(edge)) + (places[i] - edge) * slope;
      const double rounding = 1e-12 * (1 + std::abs(places[i])) * kappa.lpNorm<1>();
      EXPECT_NEAR(values[k], value, rounding) << places[i];
      EXPECT_NEAR(points.value[k], value, rounding) << places[i];
      EXPECT_NEAR(points.slope[k], slope, 1e-11 * kappa.lpNorm<1>() * static_cast<double>(features->size()))
          << places[i];
    }
  }
}

TEST(SourceCurve, HasTheRangeOfTheDataUnlessItIsGivenOne) {
  const auto features = std::make_shared<IntegratedHarmonics>(4, 0.5);
  const Vector kappa = random_kappa(features->size(), 1);
  EXPECT_EQ(SourceCurve(features, kappa).values(places, 1),
            SourceCurve(features, kappa, -1, 1).values(places, 1));
  EXPECT_NE(SourceCurve(features, kappa).values(places, 1),
            SourceCurve(features, kappa, -1, 2).values(places, 1));
}

TEST(Places, GiveColumnsAndQuadraticFormsOfTheSameExtension) {
  for (const auto& features : bases()) {
    const Places at(places, lower, upper);
    const Matrix phi = feature_columns(*features, at, 0, at.size());
    const Vector kappa = random_kappa(features->size(), 5);
    const Vector values = source_values(*features, at, kappa, 1);
    const Matrix square = kappa * kappa.transpose();
    const Vector forms = quadratic_forms(*features, at, square, 1);
    for (Index i = 0; i < phi.cols(); ++i) {
      const double nu = phi.col(i).dot(kappa);
      EXPECT_NEAR(values[i], nu, 1e-11 * (1 + std::abs(nu)));
      EXPECT_NEAR(forms[i], nu * nu, 1e-10 * (1 + phi.col(i).squaredNorm() * kappa.squaredNorm()));
    }
  }
}

}  // namespace
}  // namespace linkgistic

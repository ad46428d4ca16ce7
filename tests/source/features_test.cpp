// Structured sums over rows against the plain dense ones, and features against quadrature of their
// derivatives.
#include "source/features.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "numeric/derivative_check.hpp"
#include "numeric/random.hpp"
#include "reference/quadrature.hpp"
#include "source/harmonics.hpp"
#include "source/integrated_harmonics.hpp"
#include "source/nystrom_basis.hpp"

namespace linkgistic {
namespace {

struct Case {
  std::string name;
  std::shared_ptr<const Features> features;
};

std::vector<Case> all_features() {
  const auto nystrom = std::make_shared<NystromBasis>(Vector::LinSpaced(9, -1.2, 1.2), 5.0, true);
  return {{"integrated harmonics", std::make_shared<IntegratedHarmonics>(24, 0.5)},
          {"integrated from a pinned origin", std::make_shared<IntegratedHarmonics>(24, 0.5, -2.0)},
          {"integrated harmonics with a square", std::make_shared<IntegratedHarmonics>(24, 0.5, 1.0, true)},
          {"harmonics", std::make_shared<Harmonics>(13, 0.5)},
          {"nystrom functions", std::make_shared<NystromFunctions>(nystrom)},
          {"nystrom products", std::make_shared<NystromProducts>(nystrom, 0.1)}};
}

struct Rows {
  std::vector<double> x, r, h;
  explicit Rows(std::size_t n) : x(n), r(n), h(n) {
    RandomStream random(17);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = 2 * random.uniform() - 1;
      r[i] = random.normal();
      h[i] = random.normal();
    }
  }
};

TEST(Features, StructuredSumsEqualTheDenseOnes) {
  const Rows rows(1111);
  for (const auto& [name, features] : all_features()) {
    SCOPED_TRACE(name);
    const FeatureSums fast = features->sums(rows.x, rows.r, rows.h, 2);
    const FeatureSums plain = features->Features::sums(rows.x, rows.r, rows.h, 1);
    EXPECT_LT(relative_difference(fast.linear, plain.linear), 1e-12);
    EXPECT_LT(relative_difference(fast.gram, plain.gram), 1e-12);
    EXPECT_LT(relative_difference(features->linear_sum(rows.x, rows.r, 2), plain.linear), 1e-12);
  }
}

TEST(Features, ValuesSlopesAndQuadraticFormsEqualTheDenseOnes) {
  const Rows rows(1111);
  RandomStream random(4);
  for (const auto& [name, features] : all_features()) {
    SCOPED_TRACE(name);
    const Vector kappa = Vector::NullaryExpr(features->size(), [&] { return random.normal(); });
    EXPECT_LT(
        relative_difference(features->values(rows.x, kappa, 2), features->Features::values(rows.x, kappa, 1)),
        1e-12);
    EXPECT_LT(
        relative_difference(features->slopes(rows.x, kappa, 2), features->Features::slopes(rows.x, kappa, 1)),
        1e-12);
    const Matrix a = Matrix::NullaryExpr(features->size(), features->size(), [&] { return random.normal(); });
    const Matrix t = a * a.transpose();
    EXPECT_LT(relative_difference(features->quadratic_forms(rows.x, t, 2),
                                  features->Features::quadratic_forms(rows.x, t, 1)),
              1e-12);
  }
}

TEST(Features, TheirDerivativeIntegratesToThem) {
  for (const auto& [name, features] : all_features()) {
    SCOPED_TRACE(name);
    for (const double x : {-0.9, 0.35, 1.0}) {
      const Vector difference = features->at(x) - features->at(-1);
      for (Index i = 0; i < features->size(); ++i) {
        Vector slope(features->size());
        const auto f = [&, &curve = *features](double z) {
          curve.derivative(z, slope);
          return slope[i];
        };
        EXPECT_NEAR(integrate(f, -1, x, 100), difference[i], 1e-10);
      }
    }
  }
}

TEST(Features, SumsAreTheSameBitsForAnyNumberOfThreads) {
  const Rows rows(20000);
  for (const auto& [name, features] : all_features()) {
    SCOPED_TRACE(name);
    const FeatureSums one = features->sums(rows.x, rows.r, rows.h, 1);
    const FeatureSums two = features->sums(rows.x, rows.r, rows.h, 2);
    EXPECT_EQ(one.linear, two.linear);
    EXPECT_EQ(one.gram, two.gram);
  }
}

}  // namespace
}  // namespace linkgistic

// psi(x) = int_0^x phi phi' and nu(x) = w' psi(x) w, from the structured form, against quadrature and
// reference values.
#include <cmath>

#include <gtest/gtest.h>

#include "numeric/random.hpp"
#include "reference/oracle.hpp"
#include "reference/quadrature.hpp"
#include "source/integrated_harmonics.hpp"
#include "source/nystrom_source.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

Vector start_theta(const SourceFamily& family) {
  Vector theta(static_cast<Index>(family.hyper_parameters().size()));
  for (Index i = 0; i < theta.size(); ++i) {
    const auto& h = family.hyper_parameters()[static_cast<std::size_t>(i)];
    theta[i] = h.to_theta(h.start);
  }
  return theta;
}

// d2 nu/dw2 = 2 psi.
Matrix psi(const SourceModel& source, double x) {
  const Index m = source.basis->size();
  return source.map->curvature(source.features->at(x)).topLeftCorner(m, m) / 2;
}

double basis_at(const SourceModel& source, Index i, double x) {
  Vector phi(source.basis->size());
  source.basis->evaluate(x, phi);
  return phi[i];
}

TEST(Psi, OfTheTrigonometricBasisEqualsQuadrature) {
  RandomStream random(21);
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset}) {
    for (int trial = 0; trial < 40; ++trial) {
      const int harmonics = 1 + static_cast<int>(random.below(64));
      const double c = std::pow(10.0, 6 * random.uniform() - 3);
      const double sign = random.uniform() < 0.5 ? -1 : 1;
      const double x = sign * std::pow(10.0, -3 * random.uniform()) / c;
      const TrigSource family(kind, harmonics, c);
      const SourceModel source = family.at(start_theta(family));
      const Matrix structured = psi(source, x);
      for (int pair = 0; pair < 12; ++pair) {
        const auto m = static_cast<std::uint64_t>(source.basis->size());
        const auto i = static_cast<Index>(random.below(m));
        const auto j = static_cast<Index>(random.below(m));
        const double expected =
            integrate([&](double z) { return basis_at(source, i, z) * basis_at(source, j, z); }, 0, x, 100);
        EXPECT_NEAR(structured(i, j), expected, 1e-12 * std::abs(x));
      }
    }
  }
}

TEST(Psi, SourceEqualsTheQuadraticFormOverSixDecadesOfTheFrequency) {
  RandomStream random(22);
  for (int trial = 0; trial < 200; ++trial) {
    const int harmonics = 1 + static_cast<int>(random.below(64));
    const double c = std::pow(10.0, 6 * random.uniform() - 3);
    const double x = (random.uniform() < 0.5 ? -1 : 1) * std::pow(10.0, 4 * random.uniform() - 3) / c;
    const TrigSource family(PriorKind::isgp, harmonics, c);
    const SourceModel source = family.at(start_theta(family));
    Vector g = Vector::NullaryExpr(source.dimension(), [&] { return random.normal(); });
    g[g.size() - 1] = 0;
    const Vector w = g.head(g.size() - 1);
    // psi from the closed forms of the paper's appendix, element by element.
    long double expected = 0;
    const auto integral = [&](int j, bool sine) -> long double {  // of cos(j theta) or sin(j theta)
      const long double k = 3.14159265358979323846264338327950288L * c * j;
      if (j == 0) return sine ? 0 : x;
      const long double half = std::sin(k * x / 2);
      return sine ? 2 * half * half / k : std::sin(k * x) / k;
    };
    for (int m = 1; m <= harmonics; ++m) {
      for (int n = 1; n <= harmonics; ++n) {
        const long double even = integral(std::abs(m - n), false), sum = integral(m + n, false);
        const double pp = w[m - 1] * w[n - 1], qq = w[harmonics + m - 1] * w[harmonics + n - 1];
        const double qp = w[harmonics + m - 1] * w[n - 1];
        const long double odd = m == n ? 0 : (m > n ? 1 : -1) * integral(std::abs(m - n), true);
        expected += pp * (even + sum) / 2 + qq * (even - sum) / 2 + qp * (integral(m + n, true) + odd);
      }
    }
    const double tolerance = 1e-12 * std::abs(x) * w.squaredNorm();
    const Vector kappa = source.map->value(g);
    EXPECT_NEAR(kappa.dot(source.features->at(x)), static_cast<double>(expected), tolerance);
    EXPECT_NEAR(source.features->values(std::vector<double>{x}, kappa, 1)[0], static_cast<double>(expected),
                tolerance);
    // nu' = f^2.
    Vector slope(source.features->size());
    source.features->derivative(x, slope);
    EXPECT_NEAR(kappa.dot(slope), std::pow(source.latent(x, g), 2), 1e-11 * w.squaredNorm());
  }
}

TEST(Psi, EqualsTheReferenceValues) {
  const auto file = oracle::load();
  const auto& reference = file["psi"];
  const TrigSource family(PriorKind::isgp, reference["M"].get<int>() / 2, reference["c"].get<double>());
  const SourceModel source = family.at(start_theta(family));
  ASSERT_EQ(reference["x"].size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    const double x = reference["x"][k].get<double>();
    const Matrix structured = psi(source, x);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_NEAR(basis_at(source, static_cast<Index>(i), x), reference["phi"][k][i].get<double>(), 1e-14);
      for (std::size_t j = 0; j < 8; ++j) {
        EXPECT_NEAR(structured(static_cast<Index>(i), static_cast<Index>(j)),
                    reference["psi"][k][i][j].get<double>(), 1e-13);
      }
    }
  }
}

TEST(Psi, IsPositiveSemiDefiniteToTheRightAndNegativeToTheLeft) {
  const TrigSource family(PriorKind::isgp, 6, 0.5);
  const SourceModel source = family.at(start_theta(family));
  RandomStream random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector w = Vector::NullaryExpr(12, [&] { return random.normal(); });
    EXPECT_GE(w.dot(psi(source, 0.7) * w), 0);
    EXPECT_LE(w.dot(psi(source, -0.7) * w), 0);
  }
}

TEST(Psi, OfTheNystromBasisEqualsQuadrature) {
  // Functions of small eigenvalue are differences of large kernels: eps over the smallest kept, 1e-6, is the
  // error.
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset}) {
    const NystromSource family(kind, 12, -1, 1);
    const SourceModel source = family.at(start_theta(family));
    for (const double x : {-0.8, 0.4, 1.0}) {
      const Matrix structured = psi(source, x);
      for (Index i = 0; i < structured.rows(); ++i) {
        for (Index j = 0; j <= i; ++j) {
          const auto product = [&](double z) { return basis_at(source, i, z) * basis_at(source, j, z); };
          EXPECT_NEAR(structured(i, j), integrate(product, 0, x, 50), 1e-10);
        }
      }
    }
  }
}

}  // namespace
}  // namespace linkgistic

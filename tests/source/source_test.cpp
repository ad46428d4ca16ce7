// The priors: mean functions by simulation, kernels in closed form, derivatives in the hyper-parameters.
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/derivative_check.hpp"
#include "numeric/random.hpp"
#include "source/nystrom_source.hpp"
#include "source/spectrum.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

struct Named {
  const char* name;
  PriorKind kind;
  std::optional<double> pinned;
};
const Named all_priors[] = {{"isgp", PriorKind::isgp, {}},
                            {"offset", PriorKind::offset, {}},
                            {"gp", PriorKind::gp, {}},
                            {"isgp shifted", PriorKind::isgp, -2.0},
                            {"offset shifted", PriorKind::offset, -2.0}};

constexpr SpectrumKind all_spectra[] = {SpectrumKind::analytic, SpectrumKind::matern12,
                                        SpectrumKind::matern32, SpectrumKind::matern52,
                                        SpectrumKind::squared_exponential};

Vector some_theta(const SourceFamily& family) {
  Vector theta(static_cast<Index>(family.hyper_parameters().size()));
  for (Index i = 0; i < theta.size(); ++i) {
    const auto& h = family.hyper_parameters()[static_cast<std::size_t>(i)];
    theta[i] = h.to_theta(h.start) + 0.1 * static_cast<double>(i + 1);
  }
  return theta;
}

// Mean and standard error of nu(x) over draws from the prior.
std::pair<double, double> simulated_mean(const SourceModel& source, double x, int draws) {
  RandomStream random(77);
  const Vector phi = source.features->at(x);
  double sum = 0, square = 0;
  for (int s = 0; s < draws; ++s) {
    const double nu = phi.dot(source.map->value(source.prior.draw(random)));
    sum += nu;
    square += nu * nu;
  }
  const double mean = sum / draws;
  return {mean, std::sqrt((square / draws - mean * mean) / draws)};
}

TEST(SourcePrior, MeanIsMuPlusThePriorSlopeTimesX) {
  for (const auto& prior : all_priors) {
    if (prior.kind == PriorKind::gp) continue;
    SCOPED_TRACE(prior.name);
    const TrigSource family(prior.kind, 6, 0.5, prior.pinned);
    const Vector theta = some_theta(family);
    const double mu = theta[theta.size() - 1];
    const double slope = trig_spectrum(prior.kind, SpectrumKind::analytic, 6, theta).mean_square;
    for (const double x : {-0.9, 0.4, 1.0}) {
      const auto [mean, error] = simulated_mean(family.at(theta), x, 40000);
      EXPECT_NEAR(mean, mu + slope * x, 4 * error);
    }
  }
}

TEST(SourcePrior, SlopeOfTheIsgpIsTheKernelAtZero) {
  const TrigSource family(PriorKind::isgp, 20, 0.5);
  const Vector theta = some_theta(family);
  const double a = 1 + std::exp(theta[0]), b = std::exp(theta[1]);
  const double k00 = b * (1 - std::pow(a, -20)) / (a - 1);
  EXPECT_NEAR(trig_spectrum(PriorKind::isgp, SpectrumKind::analytic, 20, theta).mean_square, k00,
              1e-13 * k00);
  EXPECT_NEAR(trig_kernel(0.3, 0.3, a, b, 0.5, 20), k00, 1e-13 * k00);
}

// The variance of harmonic m as a power, a Gaussian or a geometric series in m, and all of them together.
TEST(SourcePrior, SpectraFallAsTheirNamesSay) {
  const auto shares = [](SpectrumKind kind, double m, double l) {
    switch (kind) {
      case SpectrumKind::matern12:
        return 1 / (1 + m * l * m * l / 2);
      case SpectrumKind::matern32:
        return 1 / std::pow(1 + m * l * m * l / 4, 2);
      case SpectrumKind::matern52:
        return 1 / std::pow(1 + m * l * m * l / 6, 3);
      case SpectrumKind::squared_exponential:
        return std::exp(-m * l * m * l / 2);
      default:
        return std::pow(std::exp(l), -m);
    }
  };
  for (const SpectrumKind kind : all_spectra) {
    const TrigSource family(PriorKind::offset, 6, 0.5, std::nullopt, kind);
    const Vector theta = some_theta(family);
    const double l = std::log1p(std::exp(theta[0])), v = 1 / (1 + std::exp(-theta[1])),
                 scale = std::exp(theta[2]);
    double sum = 0;
    for (int m = 0; m <= 6; ++m) sum += shares(kind, m, l);
    const Spectrum spectrum = trig_spectrum(PriorKind::offset, kind, 6, theta);
    for (int m = 0; m <= 6; ++m)
      EXPECT_NEAR(std::exp(spectrum.log_variance[m]), scale * v * shares(kind, m, l) / sum, 1e-14) << m;
  }
}

TEST(SourcePrior, KernelInClosedFormEqualsItsSeries) {
  const double a = 1.3, b = 0.7, c = 0.4;
  for (const double x : {-2.0, 0.1, 1.7}) {
    double series = 0;
    for (int m = 1; m <= 9; ++m) series += b * std::pow(a, -m) * std::cos(M_PI * m * c * (x - 0.6));
    EXPECT_NEAR(trig_kernel(x, 0.6, a, b, c, 9), series, 1e-14);
  }
}

TEST(SourcePrior, KernelOfManyHarmonicsGoesToItsLimit) {
  for (const double a : {1.05, 1.3, 4.0}) {
    for (const double x : {-2.0, 0.1, 0.6, 0.6001, 1.7}) {
      const double b = 0.7, c = 0.4;
      const double limit = trig_kernel_limit(x, 0.6, a, b, c);
      double series = 0;
      for (int m = 1; m <= 1000; ++m) series += b * std::pow(a, -m) * std::cos(M_PI * m * c * (x - 0.6));
      EXPECT_NEAR(limit, series, 1e-12);
      // What is left out after K harmonics is at most the rest of the geometric series.
      for (const int harmonics : {8, 32, 128})
        EXPECT_LE(std::abs(limit - trig_kernel(x, 0.6, a, b, c, harmonics)),
                  b * std::pow(a, -harmonics) / (a - 1) + 1e-13);
    }
  }
  EXPECT_NEAR(trig_kernel_limit(0.3, 0.3, 1.2, 2, 0.5), 2 / 0.2, 1e-13);
}

TEST(SourcePrior, OffsetPriorHasSlopeSAndShrinksToALineAsVGoesToZero) {
  const TrigSource family(PriorKind::offset, 8, 0.5);
  Vector theta = some_theta(family);
  theta[1] = -20;  // v
  const SourceModel source = family.at(theta);
  RandomStream random(3);
  const Vector kappa = source.map->value(source.prior.draw(random));
  const double s = std::exp(theta[2]);
  Vector slope(source.features->size());
  for (const double x : {-1.0, 0.0, 0.8}) {
    source.features->derivative(x, slope);
    EXPECT_NEAR(kappa.dot(slope), s, 1e-3 * s);
  }
}

std::vector<std::pair<Named, SpectrumKind>> priors_and_spectra() {
  std::vector<std::pair<Named, SpectrumKind>> all;
  for (const auto& prior : all_priors)
    for (const SpectrumKind spectrum : all_spectra) all.emplace_back(prior, spectrum);
  return all;
}

TEST(SourcePrior, DerivativesInTheHyperParametersAreExact) {
  for (const auto& [prior, spectrum] : priors_and_spectra()) {
    SCOPED_TRACE(testing::Message() << prior.name << " " << static_cast<int>(spectrum));
    const TrigSource family(prior.kind, 5, 0.5, prior.pinned, spectrum);
    const Vector theta = some_theta(family);
    const GaussianPrior at = family.at(theta).prior;
    const auto free = at.free_coordinates();
    const Matrix d_mean = numeric_jacobian([&](const Vector& t) { return family.at(t).prior.mean; }, theta);
    const Matrix d_precision = numeric_jacobian(
        [&](const Vector& t) { return Vector(family.at(t).prior.log_precision(free)); }, theta);
    EXPECT_LT(relative_difference(at.d_mean, d_mean), 1e-9);
    EXPECT_LT(relative_difference(at.d_log_precision(free, Eigen::all), d_precision), 1e-9);
  }
}

const Curvature all_curvatures[] = {{1, false, 0}, {-1, false, 0}, {1, true, -1}, {-1, true, 1}};

TEST(SourceCurvature, TheSecondDerivativeIsTheSquareOfTheLatent) {
  RandomStream random(5);
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset}) {
    for (const Curvature& curvature : all_curvatures) {
      const TrigSource family(kind, 6, 0.5, curvature);
      const SourceModel source = family.at(some_theta(family));
      const Vector g = source.prior.draw(random);
      const Vector kappa = source.map->value(g);
      Vector left(kappa.size()), right(kappa.size());
      for (const double x : {-0.9, 0.2, 0.7}) {
        source.features->derivative(x - 1e-5, left);
        source.features->derivative(x + 1e-5, right);
        const double f = source.latent(x, g);
        EXPECT_NEAR(kappa.dot(right - left) / 2e-5, curvature.sign * f * f, 1e-7 * (1 + f * f));
      }
      source.features->derivative(curvature.origin, left);
      const double slope = g[g.size() - 1];
      EXPECT_NEAR(kappa.dot(left), curvature.increasing ? slope * slope : slope, 1e-12);
      EXPECT_NEAR(kappa.dot(source.features->at(curvature.origin)), g[g.size() - 2], 1e-12);
    }
  }
}

TEST(SourceCurvature, MapAndSquaresAgree) {
  RandomStream random(6);
  for (const Curvature& curvature : all_curvatures) {
    const TrigSource family(PriorKind::offset, 4, 0.5, curvature);
    const SourceModel source = family.at(some_theta(family));
    const Vector g = source.prior.draw(random);
    const Vector squares = source.squares->weights * (source.squares->points * g).cwiseAbs2();
    Vector linear = Vector::Zero(squares.size());
    linear[0] = g[g.size() - 2];
    if (!curvature.increasing) linear[1] = g[g.size() - 1];
    EXPECT_LT(relative_difference(source.map->value(g), Vector(squares + linear)), 1e-12);
  }
}

TEST(SourceCurvature, DerivativesInTheHyperParametersAreExact) {
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset}) {
    for (const Curvature& curvature : all_curvatures) {
      const TrigSource family(kind, 5, 0.5, curvature);
      const Vector theta = some_theta(family);
      const GaussianPrior at = family.prior_at(theta);
      const Matrix d_mean = numeric_jacobian([&](const Vector& t) { return family.prior_at(t).mean; }, theta);
      const Matrix d_precision =
          numeric_jacobian([&](const Vector& t) { return family.prior_at(t).log_precision; }, theta);
      EXPECT_LT(relative_difference(at.d_mean, d_mean), 1e-9);
      EXPECT_LT(relative_difference(at.d_log_precision, d_precision), 1e-9);
    }
  }
}

TEST(SourceCurvature, EveryPathHasItsShape) {
  RandomStream random(9);
  std::vector<double> x(2001);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = -1 + 2.0 * static_cast<double>(i) / 2000;
  for (const Curvature& curvature : all_curvatures) {
    const TrigSource family(PriorKind::offset, 16, 0.5, curvature);
    const SourceModel source = family.at(some_theta(family));
    for (int s = 0; s < 20; ++s) {
      const Vector nu = source.features->values(x, source.map->value(source.prior.draw(random)), 1);
      for (Index i = 1; i + 1 < nu.size(); ++i) {
        EXPECT_GE(curvature.sign * (nu[i + 1] - 2 * nu[i] + nu[i - 1]), -1e-12);
        EXPECT_GE(curvature.increasing ? nu[i] - nu[i - 1] : 0, -1e-12);
      }
    }
  }
}

TEST(SourcePrior, EveryPathOfAnIntegratedSquareIncreases) {
  RandomStream random(8);
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset}) {
    const TrigSource family(kind, 16, 0.5);
    const SourceModel source = family.at(some_theta(family));
    std::vector<double> x(400);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = -3 + 6.0 * static_cast<double>(i) / 399;
    for (int s = 0; s < 20; ++s) {
      const Vector nu = source.features->values(x, source.map->value(source.prior.draw(random)), 1);
      for (Index i = 1; i < nu.size(); ++i) EXPECT_GE(nu[i] - nu[i - 1], -1e-12);
    }
  }
}

TEST(SourcePrior, ShiftedOriginPinsTheSourceThere) {
  // nu(r) = mu + r E f^2 with probability one: the pinned point of the alternative formulation.
  const TrigSource family(PriorKind::isgp, 6, 0.5, -2.0);
  const Vector theta = some_theta(family);
  const SourceModel source = family.at(theta);
  RandomStream random(5);
  Vector g = source.prior.mean;
  for (Index i = 0; i + 1 < g.size(); ++i) g[i] = random.normal();
  const double slope = trig_spectrum(PriorKind::isgp, SpectrumKind::analytic, 6, theta).mean_square;
  EXPECT_NEAR(source.map->value(g).dot(source.features->at(-2)), theta[3] - 2 * slope, 1e-12);
  EXPECT_TRUE(source.prior.clamped(g.size() - 1));
}

TEST(NystromPrior, CovarianceOfFIsTheGaussianKernel) {
  const NystromSource family(PriorKind::isgp, 24, -1, 1);
  const Vector theta = some_theta(family);
  const SourceModel source = family.at(theta);
  const double a = std::exp(theta[0]), b = std::exp(theta[1]);
  const Index m = source.basis->size();
  const Vector variance = (-source.prior.log_precision.head(m)).array().exp();
  Vector p(m), q(m);
  for (const double x : {-0.7, 0.2}) {
    for (const double z : {-0.5, 0.9}) {
      source.basis->evaluate(x, p);
      source.basis->evaluate(z, q);
      const double expected = b * std::exp(-a / 2 * (x - z) * (x - z));
      EXPECT_NEAR(p.cwiseProduct(variance).dot(q), expected, 1e-4 * b);
    }
  }
}

TEST(NystromPrior, SlopeIsTheSquareOfF) {
  RandomStream random(12);
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset}) {
    const NystromSource family(kind, 16, -1, 1);
    const SourceModel source = family.at(some_theta(family));
    const Vector g = source.prior.draw(random);
    const Vector kappa = source.map->value(g);
    Vector slope(source.features->size());
    for (const double x : {-0.9, 0.0, 0.55}) {
      source.features->derivative(x, slope);
      const double f = source.latent(x, g);
      EXPECT_NEAR(kappa.dot(slope), f * f, 1e-8 * (1 + f * f));
    }
  }
}

}  // namespace
}  // namespace linkgistic

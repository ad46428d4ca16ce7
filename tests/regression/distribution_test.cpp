// Mean, median, mode and quantiles against draws of the posterior, for its three kinds.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/normal.hpp"
#include "numeric/quantile.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr double levels[] = {0.05, 0.3, 0.9};
const std::vector<double> places{-3.5, -2, -0.4, 0.3, 1.7, 3.5};

FittedMonotoneRegression fitted(Inference inference, double sign = 1, PriorKind prior = PriorKind::offset) {
  RandomStream random(11);
  std::vector<double> x, y;
  for (int n = 0; n < 400; ++n) {
    x.push_back(6 * random.uniform() - 3);
    y.push_back(sign * std::tanh(x.back()) + 0.3 * random.normal());
  }
  MonotoneRegressionOptions options;
  options.inference = inference;
  options.prior = prior;
  options.harmonics = 6;
  options.draws = 250;
  return MonotoneRegression(options).fit(x, y);
}

class Kinds : public testing::TestWithParam<Inference> {};
INSTANTIATE_TEST_SUITE_P(Posteriors, Kinds,
                         testing::Values(Inference::laplace, Inference::variational, Inference::mcmc));

// With this many rows the hyper-parameters' uncertainty, which draws of a Gaussian leave out, is small.
TEST_P(Kinds, QuantilesAreThoseOfTheDraws) {
  const auto fit = fitted(GetParam());
  const int count = GetParam() == Inference::mcmc ? 1000 : 4000;
  const auto nu = fit.sample(places, count, 3), f = fit.sample_latent(places, count, 3);
  RandomStream random(5);
  for (const Quantity of : {Quantity::nu, Quantity::response, Quantity::latent}) {
    const Distribution d = fit.distribution(places, of, levels);
    for (std::size_t i = 0; i < places.size(); ++i) {
      // Beyond the data nu is skewed, which the Gaussians' quantiles are not.
      const bool beyond = std::abs(places[i]) > 3;
      if (beyond && GetParam() != Inference::mcmc && of != Quantity::latent) continue;
      std::vector<double> values;
      for (int s = 0; s < count; ++s) {
        const auto at = static_cast<std::size_t>(s);
        values.push_back(of == Quantity::latent ? f[at][i] : nu[at][i]);
        if (of == Quantity::response) values.back() += fit.noise() * random.normal();
      }
      double mean = 0, square = 0;
      for (const double v : values) mean += v / count;
      for (const double v : values) square += (v - mean) * (v - mean) / count;
      const double sd = std::sqrt(square);
      // A tenth of a standard deviation for the number of draws; Laplace's nu is linearised at its mode.
      const double slack = (GetParam() == Inference::laplace && of != Quantity::latent ? 0.6 : 0.25) * sd;
      EXPECT_NEAR(d.mean[i], mean, 0.1 * sd) << i;
      EXPECT_NEAR(d.median[i], quantile(values, 0.5), slack) << i;
      EXPECT_NEAR(d.mode[i], quantile(values, 0.5), 0.8 * sd) << i;
      for (std::size_t k = 0; k < std::size(levels); ++k)
        EXPECT_NEAR(d.quantiles[k][i], quantile(values, levels[k]), slack) << i << " " << levels[k];
      EXPECT_LT(d.quantiles[0][i], d.quantiles[1][i]);
      EXPECT_LT(d.quantiles[1][i], d.median[i]);
      EXPECT_LT(d.median[i], d.quantiles[2][i]);
    }
  }
}

TEST_P(Kinds, QuantilesAreTheEndsOfTheBands) {
  for (const double sign : {1.0, -1.0}) {
    const auto fit = fitted(GetParam(), sign);
    const Prediction p = fit.predict(places, 0.8);
    const double ends[] = {0.1, 0.9};
    const Distribution nu = fit.distribution(places, Quantity::nu, ends);
    const Distribution response = fit.distribution(places, Quantity::response, ends);
    const Curve f = fit.latent(places, 0.8);
    const Distribution latent = fit.distribution(places, Quantity::latent, ends);
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_NEAR(nu.quantiles[0][i], p.lower[i], 1e-9);
      EXPECT_NEAR(nu.quantiles[1][i], p.upper[i], 1e-9);
      EXPECT_NEAR(response.quantiles[0][i], p.obs_lower[i], 1e-6);
      EXPECT_NEAR(response.quantiles[1][i], p.obs_upper[i], 1e-6);
      EXPECT_NEAR(latent.quantiles[0][i], f.lower[i], 1e-9);
      EXPECT_NEAR(latent.quantiles[1][i], f.upper[i], 1e-9);
    }
  }
}

TEST(Distribution, RefusesLevelsThatAreNoneAndTheLatentFunctionOfAGaussianProcess) {
  const auto fit = fitted(Inference::laplace);
  const double level[] = {1.0};
  EXPECT_THROW((void)fit.distribution(places, Quantity::nu, level), UsageError);
  EXPECT_THROW(
      (void)fitted(Inference::laplace, 1, PriorKind::gp).distribution(places, Quantity::latent, levels),
      UsageError);
}

TEST(HalfSampleMode, IsWhereASkewedSampleIsDensest) {
  // Log-normal: mode e^-1 of median 1 for sigma = 1.
  std::vector<double> values;
  for (int i = 0; i < 4000; ++i) values.push_back(std::exp(normal_quantile((i + 0.5) / 4000)));
  EXPECT_NEAR(half_sample_mode(values), std::exp(-1.0), 0.1);
  EXPECT_EQ(half_sample_mode({2.0}), 2);
  EXPECT_EQ(half_sample_mode({1.0, 4.0}), 2.5);
}

}  // namespace
}  // namespace linkgistic

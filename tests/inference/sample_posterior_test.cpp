// A set of samples as a posterior: for a Gaussian process the moments and quantiles are known.
#include "inference/sample_posterior.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "numeric/normal.hpp"
#include "response/gaussian.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

// A Gaussian posterior of a Gaussian process: nu(t) is normal.
struct NormalCase {
  TrigSource family{PriorKind::gp, 2, 0.5};
  SourceModel source = family.at(start_theta(family.hyper_parameters()));
  GaussianPosterior gaussian = make();
  static GaussianPosterior make() {
    Vector mode(5);
    mode << 0.3, -0.2, 0.1, 0.4, 1;
    Matrix factor = Matrix::Zero(5, 5);
    for (Index i = 0; i < 5; ++i) {
      for (Index j = 0; j <= i; ++j) factor(i, j) = i == j ? 0.5 : 0.1 * static_cast<double>(i - j);
    }
    return {mode, factor};
  }
};

TEST(SamplePosterior, OfNormalDrawsHasTheNormalQuantilesInsideAndOutsideTheData) {
  const NormalCase c;
  constexpr Index count = 200000;
  const SamplePosterior samples({c.gaussian.draw(count, 1), {}});
  const Places at(std::vector<double>{-1.7, -0.4, 0.9, 2.5});
  const std::vector<double> levels{0.05, 0.5, 0.95};
  for (const double noise : {0.0, 0.7}) {
    const auto quantiles = [&](const Posterior& posterior, int threads) {
      return noise == 0 ? posterior.quantiles(c.source, at, levels, threads)
                        : posterior.observation_quantiles(c.source, at, levels, GaussianResponse(),
                                                          Vector::Constant(1, -2 * std::log(noise)), threads);
    };
    const Matrix exact = quantiles(c.gaussian, 1);
    const Matrix found = quantiles(samples, 2);
    for (Index i = 0; i < exact.rows(); ++i) {
      const double sd = (exact(i, 2) - exact(i, 1)) / normal_quantile(0.95);
      // The 5 % quantile of n draws has standard error sqrt(.05 .95 / n)/density = 2.1 sd / sqrt(n).
      EXPECT_LT((found.row(i) - exact.row(i)).cwiseAbs().maxCoeff(), 4.5 * 2.2 * sd / std::sqrt(count));
    }
  }
  const Vector phi = c.source.features->at(0.3);
  EXPECT_NEAR(samples.variance(*c.source.map, phi), c.gaussian.variance(*c.source.map, phi), 0.03);
  EXPECT_NEAR(samples.mean_coefficients(*c.source.map).dot(phi),
              c.gaussian.mean_coefficients(*c.source.map).dot(phi), 0.02);
  const Matrix a = Matrix::Identity(5, 5);
  EXPECT_LT((samples.linear_quantiles(a, levels) - c.gaussian.linear_quantiles(a, levels)).norm(), 0.03);
}

// One more uniform number is between two with the probability that is their distance.
TEST(SamplePosterior, QuantilesHoldTheNextDrawAsOftenAsTheLevelsSay) {
  const std::vector<double> levels{0.05, 0.95};
  RandomStream random(6);
  double inside = 0;
  constexpr int trials = 5000;
  for (int t = 0; t < trials; ++t) {
    const SamplePosterior samples({Matrix::NullaryExpr(1, 30, [&] { return random.uniform(); }), {}});
    const Matrix ends = samples.linear_quantiles(Matrix::Ones(1, 1), levels);
    inside += ends(0, 1) - ends(0, 0);
  }
  EXPECT_NEAR(inside / trials, 0.9, 0.005);  // its standard error is 0.0008
}

TEST(SamplePosterior, UsesTheNoiseOfEachDraw) {
  const NormalCase c;
  // Two draws that differ in their noise alone: the quantile y solves (Phi(z/1) + Phi(z/3))/2 = level.
  Matrix g(5, 2);
  g.colwise() = c.gaussian.estimate();
  const SamplePosterior samples({g, Eigen::RowVector2d(0, -2 * std::log(3))});
  const Places at(std::vector<double>{0.2});
  const std::vector<double> levels{0.01, 0.4, 0.975};
  const Matrix y =
      samples.observation_quantiles(c.source, at, levels, GaussianResponse(), Vector::Zero(1), 1);
  const double nu = c.source.map->value(c.gaussian.estimate()).dot(c.source.features->at(0.2));
  for (Index k = 0; k < 3; ++k) {
    const double z = y(0, k) - nu;
    EXPECT_NEAR((normal_cdf(z) + normal_cdf(z / 3)) / 2, levels[static_cast<std::size_t>(k)], 1e-6);
  }
}

TEST(SamplePosterior, DrawsEachSampleOnceBeforeAnyTwice) {
  Matrix g(1, 50);
  for (Index s = 0; s < 50; ++s) g(0, s) = static_cast<double>(s);
  const SamplePosterior samples({g, {}});
  const Matrix drawn = samples.draw(100, 3);
  for (const Index first : {0, 50}) {
    std::set<double> seen;
    for (Index s = first; s < first + 50; ++s) seen.insert(drawn(0, s));
    EXPECT_EQ(seen.size(), 50U);
  }
  EXPECT_EQ(drawn, samples.draw(100, 3));
  EXPECT_NE(drawn, samples.draw(100, 4));
}

TEST(SamplePosterior, DrawsEverySampleFirstEquallyOften) {
  const SamplePosterior samples({Matrix(Eigen::RowVectorXd::LinSpaced(5, 0, 4)), {}});
  std::vector<int> first(5);
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    ++first[static_cast<std::size_t>(samples.draw(1, seed)(0, 0))];
  for (const int count : first) EXPECT_NEAR(count, 200, 4.5 * std::sqrt(1000 * 0.2 * 0.8));
}

TEST(SamplePosterior, IsThinnedEvenlyToAtMostTheNumberAskedFor) {
  PosteriorDraws draws;
  draws.g.resize(1, 4000);
  draws.theta.resize(1, 4000);
  for (Index s = 0; s < 4000; ++s) draws.g(0, s) = draws.theta(0, s) = static_cast<double>(s);
  const PosteriorDraws few = thinned(draws, 1500);
  EXPECT_EQ(few.g.cols(), 1333);  // every third
  EXPECT_EQ(few.g(0, 0), 2);
  EXPECT_EQ(few.theta(0, 1332), 3998);
  EXPECT_EQ(thinned(draws, 4000).g.cols(), 4000);
}

}  // namespace
}  // namespace linkgistic

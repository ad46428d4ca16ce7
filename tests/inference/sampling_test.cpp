// Draws of the exact posterior against quadrature, and what is said of them.
#include "inference/sampling.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "inference/noisy_tanh.hpp"
#include "source/nystrom_source.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

// E nu(x) and the share of nu(x) below a value, of the posterior of one harmonic: by quadrature over (p, q,
// nu0).
TEST(Sampling, AgreesWithQuadratureForOneHarmonic) {
  const NoisyTanh rows(12);
  const TrigSource family(PriorKind::isgp, 1, 0.5);
  const auto term = moments(family, rows);
  const Problem problem = problem_of(family, term);
  Vector theta = problem.theta;
  theta[theta.size() - 1] = std::log(2.0);  // loud noise: both signs of f are one region
  const LaplaceFit fit = learn(problem.from(theta).held());
  SamplingOptions options;
  options.draws = 4000;
  const Sampling draws = sample_posterior(problem.held(), fit, options);
  EXPECT_LT(draws.diagnostics.r_hat(), 1.01);

  const LogJoint joint(fit.source, *term, theta.tail(1));
  const double x = 0.7;
  const Vector phi = fit.source.features->at(x);
  constexpr int points = 90;
  double total = 0, mean = 0, square = 0;
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < points; ++j) {
      for (int k = 0; k < points; ++k) {
        const auto at = [](int n, double reach) { return reach * ((2 * n + 1.0) / points - 1); };
        const Vector g{{at(i, 4), at(j, 4), at(k, 3)}};
        const double weight = std::exp(joint.log_joint(g) - fit.mode.log_joint);
        const double nu = phi.dot(fit.source.map->value(g));
        total += weight;
        mean += weight * nu;
        square += weight * nu * nu;
      }
    }
  }
  mean /= total;
  const double sd = std::sqrt(square / total - mean * mean);
  Vector nu(draws.g.cols());
  for (Index s = 0; s < nu.size(); ++s) nu[s] = phi.dot(fit.source.map->value(draws.g.col(s)));
  // At least a thousand effective draws: 4 standard errors are 0.13 sd.
  EXPECT_GT(draws.diagnostics.bulk_ess(), 1000);
  EXPECT_NEAR(nu.mean(), mean, 0.1 * sd);
  EXPECT_NEAR(std::sqrt((nu.array() - nu.mean()).square().mean()), sd, 0.08 * sd);
}

// Under a Gaussian process and Gaussian noise p(D | theta) is known: the posterior of the noise by
// quadrature.
TEST(Sampling, HasTheMarginalPosteriorOfTheNoise) {
  const NoisyTanh rows(25);
  const TrigSource family(PriorKind::gp, 2, 0.5);
  const auto term = moments(family, rows);
  const Problem problem = problem_of(family, term);
  std::vector<bool> learned(problem.hyper.size(), false);
  learned.back() = true;
  const LaplaceFit fit = learn(problem.learning(learned));
  const Sampling draws = sample_posterior(problem.learning(learned), fit, {});
  const HyperParameter& h = problem.hyper.back();
  double total = 0, mean = 0, square = 0;
  for (double eta = -2; eta < 8; eta += 0.01) {
    Vector theta = fit.theta;
    theta[theta.size() - 1] = eta;
    const double z = (eta - h.prior_mean) / h.prior_sd;
    const double weight = std::exp(log_evidence(problem, theta, fit, {}) - fit.log_evidence - z * z / 2);
    total += weight;
    mean += weight * eta;
    square += weight * eta * eta;
  }
  mean /= total;
  const double sd = std::sqrt(square / total - mean * mean);
  const Vector eta = draws.theta.row(draws.theta.rows() - 1).transpose();
  EXPECT_GT(draws.diagnostics.bulk_ess(), 1000);
  EXPECT_NEAR(eta.mean(), mean, 0.1 * sd);
  EXPECT_NEAR(std::sqrt((eta.array() - eta.mean()).square().mean()), sd, 0.08 * sd);
}

// Few draws of a posterior whose hyper-parameters are all learned.
class ShortSampling : public testing::Test {
 protected:
  ShortSampling() {
    options.warmup = 100;
    options.draws = 50;
    options.threads = 1;
  }
  const TrigSource family{PriorKind::isgp, 3, 0.5};
  const Problem problem = problem_of(family, moments(family, NoisyTanh(30)));
  const LaplaceFit fit = learn(problem.held());
  SamplingOptions options;
};

TEST_F(ShortSampling, IsTheSameForAnyNumberOfThreadsAndFixesTheSign) {
  const Sampling one = sample_posterior(problem, fit, options);
  options.threads = 4;
  const Sampling four = sample_posterior(problem, fit, options);
  EXPECT_EQ(one.g, four.g);
  EXPECT_EQ(one.theta, four.theta);
  for (Index s = 0; s < one.g.cols(); ++s) {
    Vector g = one.g.col(s);
    fix_sign(fit.source, {-1, 1}, g);
    EXPECT_EQ(g, one.g.col(s));
  }
}

TEST_F(ShortSampling, RunsOnceMoreWithTwiceTheDrawsWhereTheChainsDoNotAgree) {
  int draws = 0;
  options.on_draw = [&] { ++draws; };
  const Sampling first = sample_posterior(problem, fit, options);
  ASSERT_FALSE(first.diagnostics.good());  // 50 draws are too few
  const int of_first = std::exchange(draws, 0);
  const Sampling best = sample_until_good(problem, fit, options);
  EXPECT_EQ(draws, 3 * of_first);
  EXPECT_LE(best.diagnostics.r_hat(), first.diagnostics.r_hat());
  const bool second = best.diagnostics.draws == 100;
  EXPECT_EQ(second, best.diagnostics.good() || best.diagnostics.r_hat() < first.diagnostics.r_hat());
}

TEST(Sampling, EndsSoonAfterAStop) {
  const NoisyTanh rows(30);
  const TrigSource family(PriorKind::offset, 3, 0.5);
  const Problem problem = problem_of(family, moments(family, rows));
  const LaplaceFit fit = learn(problem.held());
  SamplingOptions options;
  options.threads = 1;
  int told = 0;
  options.on_draw = [&] { ++told; };
  options.stop = [&] { return told >= 40; };
  EXPECT_THROW(sample_posterior(problem.held(), fit, options), Interrupted);
  EXPECT_LT(told, 40 + 16);
}

TEST(Sampling, HoldsTheHyperParametersOfABasisThatMovesWithThem) {
  const NoisyTanh rows(20);
  const NystromSource family(PriorKind::isgp, 4, -1, 1);
  const auto features = [&](const std::shared_ptr<const Features>& f) {
    auto term = std::make_shared<GaussianMoments>(f);
    term->add(rows.x, rows.y, {}, 1);
    return term;
  };
  const Problem problem(family, features, SourceRange{-1, 1});
  const LaplaceFit fit = learn(problem.held());
  SamplingOptions options;
  options.warmup = options.draws = 50;
  const Sampling draws = sample_posterior(problem, fit, options);
  const auto n_source = static_cast<Index>(family.hyper_parameters().size());
  EXPECT_TRUE((draws.theta.topRows(n_source).colwise() - fit.theta.head(n_source)).isZero());
  EXPECT_GT(draws.theta.row(n_source).maxCoeff(), draws.theta.row(n_source).minCoeff());
}

TEST(SamplingDiagnostics, AreGoodUpToTheirStatedLimits) {
  SamplingDiagnostics good;
  good.chains = 4;
  good.draws = 1000;
  good.curve = {1.009, 400, 400};
  good.hyper = {1.049, 30, 30};
  good.divergences = 40;
  EXPECT_TRUE(good.good());
  const auto with = [&](const auto& change) {
    SamplingDiagnostics d = good;
    change(d);
    return d.good();
  };
  EXPECT_FALSE(with([](auto& d) { d.curve.r_hat = 1.01; }));
  EXPECT_FALSE(with([](auto& d) { d.curve.bulk_ess = 399; }));
  EXPECT_FALSE(with([](auto& d) { d.curve.tail_ess = 399; }));
  EXPECT_FALSE(with([](auto& d) { d.hyper.r_hat = 1.05; }));
  EXPECT_FALSE(with([](auto& d) { d.divergences = 41; }));
}

}  // namespace
}  // namespace linkgistic

// The learned loss over any source, and the paper's statements about it.
#include "loss/composite_loss.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "loss/bregman.hpp"
#include "loss/finite_difference.hpp"
#include "loss/function_source.hpp"
#include "loss/loss_names.hpp"
#include "loss/random_source.hpp"

namespace linkgistic {
namespace {

std::shared_ptr<const Source> wavy_source() {
  return std::make_shared<FunctionSource>(
      [](double x) {
        return Source::Values{0.8 * x + 0.5 * std::sin(x) - 0.1, 0.8 + 0.5 * std::cos(x), -0.5 * std::sin(x)};
      },
      1.3);
}

class CompositeLossContract : public testing::TestWithParam<const char*> {};

TEST_P(CompositeLossContract, GradientAndCurvatureAgreeWithFiniteDifferences) {
  const CompositeLoss loss(make_loss(GetParam()), wavy_source());
  for (double x = -2.95; x < 3; x += 0.37) {
    // Where a bounded link ends the curvature jumps.
    const double nu = loss.source().at(x).value;
    if (std::min(std::abs(nu - loss.base().link_lower()), std::abs(nu - loss.base().link_upper())) < 0.01)
      continue;
    for (const int y : {0, 1}) {
      const CompositeLoss::Values v = loss.at(y, x);
      const double h = 2e-5;
      EXPECT_NEAR(v.gradient, finite_difference([&](double t) { return loss.at(y, t).value; }, x, h), 1e-8)
          << x;
      EXPECT_NEAR(v.curvature, finite_difference([&](double t) { return loss.at(y, t).gradient; }, x, h),
                  1e-6)
          << x;
    }
  }
}

TEST_P(CompositeLossContract, IsTheBaseLossOfItsProbabilityAndTheDualDivergenceOfItsSource) {
  const CompositeLoss loss(make_loss(GetParam()), wavy_source());
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {-0.6, -0.2, 0.3, 0.6})
    for (const int y : {0, 1}) {
      EXPECT_NEAR(loss.at(y, x).value, loss.base().partial(y, loss.inverse_link(x)), 1e-12);
      EXPECT_NEAR(loss.at(y, x).value,
                  dual_divergence(loss.base(), loss.source().at(x).value, y == 1 ? infinity : -infinity),
                  1e-12);
    }
}

TEST_P(CompositeLossContract, LinkUndoesItsInverseAndHasTheSlopeOfWeightOverSource) {
  const CompositeLoss loss(make_loss(GetParam()), wavy_source());
  for (const double u : {0.05, 0.3, 0.5, 0.62, 0.9}) {
    EXPECT_NEAR(loss.inverse_link(loss.link(Probability(u))).one(), u, 1e-12);
    const double slope = finite_difference([&](double v) { return loss.link(Probability(v)); }, u, 1e-4);
    EXPECT_NEAR(loss.link_slope(Probability(u)), slope, 1e-7 * (1 + slope));
  }
}

TEST_P(CompositeLossContract, ItsLipschitzConstantIsAtMostThatOfTheSource) {
  // The paper's Lipschitz lemma with its bound sup ||phi||^2 ||w||^2; the true constant over a period is
  // below it.
  RandomStream random(21);
  const auto base = make_loss(GetParam());
  for (int draw = 0; draw < 20; ++draw) {
    const CompositeLoss loss(base, std::make_shared<RandomSource>(random));
    const double measured = loss.lipschitz_on(-4, 4, 161);
    EXPECT_LE(measured, loss.lipschitz_bound());
    EXPECT_GT(measured, 0);
    for (double x = -4; x < 4; x += 0.5)
      EXPECT_LE(std::abs(loss.at(1, x + 0.5).value - loss.at(1, x).value), 0.5 * loss.lipschitz_bound());
  }
}

TEST_P(CompositeLossContract, TheExpectedLossUnderAnUnbiasedSourceIsAtLeastTheCanonicalLoss) {
  // thEXPECT: E_nu l_nu(y, x) >= l(y, psi^-1(x)) when E nu(x) = x, since the loss is convex in nu.
  const auto base = make_loss(GetParam());
  const double scores[] = {-2.0, -0.8, 0.5, 1.6};
  const int draws = 1500;
  RandomStream random(22);
  std::vector<RandomSource> sources;
  for (int s = 0; s < draws; ++s) sources.emplace_back(random);
  for (const double x : scores) {
    double mean = 0;
    double square = 0;
    double loss_mean[2] = {0, 0};
    for (const RandomSource& source : sources) {
      const double nu = source.at(x).value;
      mean += nu / draws;
      square += nu * nu / draws;
      for (const int y : {0, 1}) loss_mean[y] += base->canonical(y, nu) / draws;
    }
    const double error = std::sqrt((square - mean * mean) / draws);
    EXPECT_NEAR(mean, x, 5 * error);
    for (const int y : {0, 1}) {
      // Of these draws exactly, about their own mean; and about x, to five standard errors (the loss is
      // 1-Lipschitz).
      EXPECT_GE(loss_mean[y], base->canonical(y, mean));
      EXPECT_GE(loss_mean[y], base->canonical(y, x) - 5 * error);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllLosses, CompositeLossContract, testing::ValuesIn(loss_names), test_name);

TEST(CompositeLoss, OfTheIdentityIsTheCanonicalLoss) {
  const CompositeLoss loss(make_loss("log"), std::make_shared<FunctionSource>(
                                                 [](double x) {
                                                   return Source::Values{x, 1, 0};
                                                 },
                                                 1.0));
  EXPECT_NEAR(loss.at(1, 0.7).value, std::log1p(std::exp(-0.7)), 1e-15);
  EXPECT_NEAR(loss.at(0, 0.7).gradient, 1 / (1 + std::exp(-0.7)), 1e-15);
  EXPECT_NEAR(loss.link(Probability(0.9)), std::log(9.0), 1e-12);
  EXPECT_NEAR(loss.weight(Probability(0.2)), 1 / 0.16, 1e-12);
}

TEST(RandomSources, HaveTheIntegralOfTheirSlope) {
  RandomStream random(23);
  for (int draw = 0; draw < 10; ++draw) {
    const RandomSource source(random);
    EXPECT_EQ(source.at(0).value, 0);
    for (const double x : {-2.0, 0.4, 3.0}) {
      EXPECT_NEAR(source.at(x).first,
                  finite_difference([&](double t) { return source.at(t).value; }, x, 1e-3), 1e-8);
      EXPECT_NEAR(source.at(x).second,
                  finite_difference([&](double t) { return source.at(t).first; }, x, 1e-3), 1e-8);
    }
  }
}

TEST(InvertSource, FindsTheScoreOfAnyIncreasingFunction) {
  const double infinity = std::numeric_limits<double>::infinity();
  const FunctionSource cubic([](double x) { return Source::Values{x * x * x, 3 * x * x, 6 * x}; });
  for (const double v : {-1e12, -8.0, 0.0, 1e-9, 27.0, 1e30})
    EXPECT_NEAR(invert_source(cubic, v), std::cbrt(v), 1e-13 * std::abs(std::cbrt(v)) + 1e-150) << v;
  const FunctionSource bounded([](double x) {
    return Source::Values{std::tanh(x), 1 - std::tanh(x) * std::tanh(x), 0};
  });
  EXPECT_NEAR(invert_source(bounded, 0.5), std::atanh(0.5), 1e-14);
  EXPECT_EQ(invert_source(bounded, 2), infinity);
  EXPECT_EQ(invert_source(bounded, -2), -infinity);
  EXPECT_EQ(invert_source(bounded, infinity), infinity);
}

}  // namespace
}  // namespace linkgistic

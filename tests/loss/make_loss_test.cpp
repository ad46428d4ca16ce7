// Each loss against its textbook formula in the probability, the identities between families, and names that
// are refused.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "loss/lipschitz.hpp"
#include "loss/proper_loss.hpp"

namespace linkgistic {
namespace {

const double grid[] = {0.001, 0.05, 0.2, 0.37, 0.5, 0.64, 0.81, 0.999};

template <class Partial>
void expect_partial_one(const char* name, Partial partial, double tolerance = 1e-13) {
  const auto loss = make_loss(name);
  for (const double u : grid) {
    const double expected = partial(u);
    EXPECT_NEAR(loss->partial(1, Probability(u)), expected, tolerance * (1 + expected))
        << name << " at " << u;
  }
}

TEST(Losses, HaveTheirTextbookPartialLosses) {
  expect_partial_one("log", [](double u) { return -std::log(u); });
  expect_partial_one("square,tail=0", [](double u) { return (1 - u) * (1 - u); });
  expect_partial_one("matsushita", [](double u) { return std::sqrt((1 - u) / u); });
  expect_partial_one("spherical,tail=0", [](double u) { return 1 - u / std::hypot(u, 1 - u); });
  expect_partial_one("square,tail=0.2", [](double u) { return (1 - u) * (1 - u) - 0.2 * std::log(u); });
  expect_partial_one("cost=0.2",
                     [](double u) { return -0.4 * std::log(0.2 * u / (0.2 * u + 0.8 * (1 - u))); });
}

TEST(AlphaLosses, HaveArimotosEntropyAsBayesRisk) {
  for (const double alpha : {0.2, 0.8, 1.5, 2.0, 4.0}) {
    const auto loss = make_loss("alpha=" + std::to_string(alpha) + ",tail=0");
    for (const double u : grid) {
      const double norm = std::pow(std::pow(u, alpha) + std::pow(1 - u, alpha), 1 / alpha);
      const double entropy = alpha / (alpha - 1) * (1 - norm);
      EXPECT_NEAR(loss->bayes_risk(Probability(u)), entropy, 1e-12 * (1 + entropy)) << alpha << " " << u;
    }
  }
}

TEST(BetaLosses, HaveTheDensityOfTheBetaDistributionAsWeight) {
  const auto loss = make_loss("beta=0.7,-0.4,tail=0");
  for (const double u : grid)
    EXPECT_NEAR(loss->weight(Probability(u)) / (std::exp2(0.3) * std::pow(u, -0.3) * std::pow(1 - u, -1.4)),
                1, 1e-12);
}

TEST(BetaLosses, HaveTheIncompleteBetaFunctionAsPartialLosses) {
  // B(u; a + 1, b) for whole numbers, by hand: a = 1, b = 2: u^2/2 - u^3/3; a = 2, b = 1 for the other label.
  const auto loss = make_loss("beta=1,2,tail=0");
  for (const double u : grid) {
    EXPECT_NEAR(loss->partial(0, Probability(u)), 8 * (u * u / 2 - u * u * u / 3), 1e-13);
    EXPECT_NEAR(loss->partial(1, Probability(u)), 8 * std::pow(1 - u, 3) / 3, 1e-13);
  }
  // And the complete one where the series about 0 and about 1 meet.
  EXPECT_NEAR(make_loss("beta=0.3,0.6,tail=0")->link_upper(), std::exp2(0.9) * std::beta(1.3, 0.6), 1e-12);
  EXPECT_NEAR(make_loss("beta=0.3,0.6,tail=0")->link_lower(), -std::exp2(0.9) * std::beta(1.6, 0.3), 1e-12);
}

void expect_equal(const char* name_a, const char* name_b, double factor) {
  const auto a = make_loss(name_a);
  const auto b = make_loss(name_b);
  for (const double u : grid)
    for (const int y : {0, 1})
      EXPECT_NEAR(a->partial(y, Probability(u)), factor * b->partial(y, Probability(u)),
                  1e-12 * (1 + a->partial(y, Probability(u))))
          << name_a << " " << name_b << " " << u;
}

TEST(Losses, MeetWhereTheFamiliesOverlap) {
  expect_equal("alpha=0.5", "matsushita", 1);
  expect_equal("alpha=1", "log", 1);
  expect_equal("alpha=2,tail=0", "spherical,tail=0", 2);
  expect_equal("cost=0.5", "log", 1);
  expect_equal("beta=0,0", "log", 1);
  expect_equal("beta=-0.5,-0.5", "matsushita", 1);
  expect_equal("beta=1,1,tail=0", "square,tail=0", 2);
}

TEST(Losses, HaveTheirKnownLipschitzConstantsInTheProbability) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(lipschitz_in_probability(*make_loss("square,tail=0")), 2, 1e-9);
  // max u/n^3 at u = (1 + sqrt 17)/8
  const double u = (1 + std::sqrt(17.0)) / 8;
  EXPECT_NEAR(lipschitz_in_probability(*make_loss("spherical,tail=0")), u / std::pow(std::hypot(u, 1 - u), 3),
              1e-9);
  for (const char* name :
       {"log", "matsushita", "square", "alpha=1.7,tail=0", "cost=0.3", "beta=0.5,1.5,tail=0"})
    EXPECT_EQ(lipschitz_in_probability(*make_loss(name)), infinity) << name;
}

TEST(SquareLoss, WithoutATailClipsItsLinkAndIsLinearOutside) {
  const auto loss = make_loss("square,tail=0");
  EXPECT_EQ(loss->link_lower(), -1);
  EXPECT_EQ(loss->link_upper(), 1);
  EXPECT_FALSE(loss->maps_onto_reals());
  EXPECT_EQ(loss->inverse_link(1.5).one(), 1);
  EXPECT_EQ(loss->inverse_link(-1.0).one(), 0);
  EXPECT_EQ(loss->canonical(0, 3), 3);
  EXPECT_EQ(loss->canonical(1, -3), 3);
  EXPECT_EQ(loss->canonical(1, 3), 0);
  // (nu + 1)^2/4 inside
  EXPECT_NEAR(loss->conjugate(0.4), 0.49, 1e-15);
}

TEST(SquareLoss, WithItsDefaultTailIsCloseToItselfInsideAndLogarithmicOutside) {
  const auto loss = make_loss("square");
  EXPECT_EQ(loss->tail(), 0.01);
  EXPECT_TRUE(loss->maps_onto_reals());
  // Inside, 2u - 1 = nu up to tail times the log-odds.
  for (const double nu : {-0.9, -0.3, 0.0, 0.7}) {
    const double plain = (nu + 1) / 2;
    EXPECT_NEAR(loss->inverse_link(nu).one(), plain, 0.005 * (1 + std::abs(std::log(plain / (1 - plain)))));
  }
  // Far outside, the log-odds grow by 1/tail per unit.
  EXPECT_NEAR(loss->log_likelihood(1, -5.0).first, 100, 1e-6);
  EXPECT_NEAR(loss->log_likelihood(1, -5.0).value, -400, 1e-6);
}

TEST(MakeLoss, RefusesWhatItDoesNotKnowAndSaysWhatItDoes) {
  for (const char* name : {"",        "hinge",          "log=1",        "alpha",           "alpha=",
                           "alpha=x", "alpha=1,2",      "alpha=-1",     "alpha=nan",       "cost=0",
                           "cost=1",  "cost=2",         "beta=1",       "beta=-1,0",       "beta=1,2,3",
                           "beta=1,", "square,tail=-1", "square,tail=", "square,tail=1,2", "log,tail=inf",
                           "log "})
    EXPECT_THROW(make_loss(name), UsageError) << name;
  try {
    make_loss("cost=2");
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "cost = 2 must be in (0, 1)");
  }
}

}  // namespace
}  // namespace linkgistic

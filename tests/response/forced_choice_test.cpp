// Labels and trials with guesses and lapses: against the plain response, the binomial law term by term, and
// the greatest value on a grid.
#include <algorithm>
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "response/responses.hpp"

namespace linkgistic {
namespace {

constexpr double guess = 0.25, lapse = 0.04;

double success(double nu) { return guess + (1 - guess - lapse) / (1 + std::exp(-nu)); }

// The probability of k of m, each with probability p.
double term(double k, double m, double p) {
  return std::exp(std::lgamma(m + 1) - std::lgamma(k + 1) - std::lgamma(m - k + 1) + k * std::log(p) +
                  (m - k) * std::log1p(-p));
}

TEST(ForcedChoice, WithoutGuessesAndLapsesIsThePlainResponse) {
  const auto plain = make_binomial_response(7), rated = make_forced_choice(7, false, {}, {});
  for (const double nu : {-4.0, 0.3, 5.0}) {
    for (const double y : {0.0, 3.0, 7.0}) {
      const LogDensity a = plain->at(y, nu, {}), b = rated->at(y, nu, {});
      EXPECT_NEAR(a.value, b.value, 1e-13 * (1 + std::abs(a.value)));
      EXPECT_NEAR(a.first, b.first, 1e-13 * (1 + std::abs(a.first)));
      EXPECT_NEAR(a.second, b.second, 1e-13);
      EXPECT_NEAR(a.third, b.third, 1e-13);
      EXPECT_NEAR(plain->saturated(y, {}), rated->saturated(y, {}), 1e-13);
    }
    EXPECT_NEAR(plain->mean(nu, {}), rated->mean(nu, {}), 1e-15);
  }
}

TEST(ForcedChoice, LawIsTheBinomialAtItsProbability) {
  const double m = 12;
  const auto rated = make_forced_choice(m, false, {guess}, {lapse});
  for (const double nu : {-30.0, -1.0, 0.0, 2.5, 40.0}) {
    const double p = success(nu);
    EXPECT_NEAR(rated->mean(nu, {}), p, 1e-15);
    double below = 0;
    for (double k = 0; k <= m; ++k) {
      EXPECT_NEAR(rated->at(k, nu, {}).value, std::log(term(k, m, p)), 1e-12);
      below += term(k, m, p);
      EXPECT_NEAR(rated->probability_below(k, nu, {}), std::min(below, 1.0), 1e-12);
    }
    for (const double level : {0.05, 0.5, 0.95}) {
      double least = 0, sum = term(0, m, p);
      while (sum < level) sum += term(++least, m, p);
      EXPECT_EQ(rated->quantile(level, nu, {}), least);
    }
  }
}

TEST(ForcedChoice, SaturatedIsTheGreatestOfAllCurves) {
  const auto rated = make_forced_choice(12, false, {guess}, {lapse});
  for (const double y : {0.0, 2.0, 3.0, 8.0, 12.0}) {
    double greatest = -1e300;
    for (double nu = -60; nu <= 60; nu += 0.001) greatest = std::max(greatest, rated->at(y, nu, {}).value);
    // The step of the grid leaves at most half of |l''| (5e-4)^2 = 4e-7.
    EXPECT_NEAR(rated->saturated(y, {}), greatest, 1e-6);
    EXPECT_GE(rated->saturated(y, {}), greatest - 1e-12);
  }
}

TEST(ForcedChoice, IsSoundAtTheEnds) {
  for (const auto& rated :
       {make_forced_choice(1, true, {0.5}, {0.02}), make_forced_choice(1, true, {}, {0.02}),
        make_forced_choice(1, true, {0.5}, {})}) {
    for (const double nu : {-1e308, -1e3, -40.0, 40.0, 1e3, 1e308}) {
      for (const double y : {0.0, 1.0}) {
        const LogDensity l = rated->at(y, nu, {});
        EXPECT_FALSE(std::isnan(l.value) || std::isnan(l.first) || std::isnan(l.second) ||
                     std::isnan(l.third));
        EXPECT_LE(l.value, 0);
      }
    }
  }
  // A certain failure is a guess or a lapse.
  const auto rated = make_forced_choice(1, true, {0.5}, {0.02});
  EXPECT_DOUBLE_EQ(rated->at(1, -800, {}).value, std::log(0.5));
  EXPECT_NEAR(rated->at(0, 800, {}).value, std::log(0.02), 1e-14);
}

TEST(ForcedChoice, CentreIsTheConstantCurveOfTheRows) {
  const auto rated = make_forced_choice(1, true, {0.5}, {0.02});
  EXPECT_NEAR(rated->mean(rated->centre(700, 1000), {}), 0.7, 1e-12);
  for (const double sum : {0.0, 400.0, 1000.0}) EXPECT_TRUE(std::isfinite(rated->centre(sum, 1000)));
  EXPECT_LT(rated->centre(400, 1000), rated->centre(510, 1000));
}

}  // namespace
}  // namespace linkgistic

#include "response/proper_loss_response.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/derivative_check.hpp"
#include "response/bernoulli.hpp"

namespace linkgistic {
namespace {

constexpr const char* bases[] = {"log",       "square",    "matsushita",    "alpha=0.3",        "alpha=3",
                                 "spherical", "cost=0.15", "beta=0.5,-0.3", "cost=0.9,tail=0.1"};

TEST(ProperLossResponse, OfTheLogLossIsBernoulli) {
  const ProperLossResponse general(make_loss("log"));
  const BernoulliResponse bernoulli;
  for (const double y : {0.0, 0.3, 1.0}) {
    for (const double nu : {-30.0, -2.0, 0.0, 0.7, 12.0}) {
      const LogDensity a = general.at(y, nu, Vector());
      const LogDensity b = bernoulli.at(y, nu, Vector());
      EXPECT_NEAR(a.value, b.value, 1e-14 * (1 + std::abs(b.value)));
      EXPECT_NEAR(a.first, b.first, 1e-14);
      EXPECT_NEAR(a.second, b.second, 1e-14);
      EXPECT_NEAR(a.third, b.third, 1e-14);
    }
  }
  EXPECT_EQ(make_response(make_loss("log"))->name(), "bernoulli");
  EXPECT_EQ(make_response(make_loss("square"))->name(), "square");
}

TEST(ProperLossResponse, GivesTheProbabilityThatItsLinkTakesToNu) {
  // At nu = psi(u) the two labels have the log odds of u, and their probabilities sum to 1.
  for (const char* name : bases) {
    SCOPED_TRACE(name);
    const auto loss = make_loss(name);
    const auto response = make_response(loss);
    for (const double t : {-5.0, -1.0, 0.2, 3.0}) {
      const double nu = loss->link(Probability::from_logit(t));
      const double one = response->at(1, nu, Vector()).value;
      const double zero = response->at(0, nu, Vector()).value;
      EXPECT_NEAR(one - zero, t, 1e-9 * (1 + std::abs(t)));
      EXPECT_NEAR(std::exp(one) + std::exp(zero), 1, 1e-12);
    }
  }
}

TEST(ProperLossResponse, ThreeDerivativesAreThoseOfTheValueForSharedLabelsToo) {
  for (const char* name : bases) {
    SCOPED_TRACE(name);
    const auto response = make_response(make_loss(name));
    for (const double y : {0.0, 0.4, 1.0}) {
      for (const double nu : {-1.7, -0.2, 0.0, 0.8}) {
        const auto all = [&](const Vector& at) {
          const LogDensity l = response->at(y, at[0], Vector());
          return Vector{{l.value, l.first, l.second}};
        };
        const LogDensity l = response->at(y, nu, Vector());
        EXPECT_LT(relative_difference(Vector{{l.first, l.second, l.third}},
                                      numeric_jacobian(all, Vector::Constant(1, nu))),
                  1e-6);
      }
    }
  }
}

TEST(ProperLossResponse, IsFiniteFarOutAndRefusesABoundedLink) {
  for (const char* name : bases) {
    const auto response = make_response(make_loss(name));
    for (const double nu : {-1e6, 1e6}) {
      for (const double y : {0.0, 1.0}) {
        const LogDensity l = response->at(y, nu, Vector());
        EXPECT_TRUE(std::isfinite(l.value) && std::isfinite(l.first) && std::isfinite(l.second)) << name;
      }
    }
  }
  for (const char* name : {"square,tail=0", "spherical,tail=0", "beta=0.25,0.5,tail=0"}) {
    EXPECT_THROW(make_response(make_loss(name)), UsageError) << name;
  }
}

}  // namespace
}  // namespace linkgistic

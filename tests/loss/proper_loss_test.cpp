// The contract of every proper loss, on every loss of loss_names.hpp.
#include "loss/proper_loss.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loss/bregman.hpp"
#include "loss/finite_difference.hpp"
#include "loss/loss_names.hpp"

namespace linkgistic {
namespace {

class Contract : public testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const ProperLoss> loss_ = make_loss(GetParam());

  /// Values of nu inside the range of the link.
  [[nodiscard]] std::vector<double> sources() const {
    const double low = std::max(0.95 * loss_->link_lower(), -4.0);
    const double high = std::min(0.95 * loss_->link_upper(), 4.0);
    std::vector<double> out;
    for (int i = 0; i <= 40; ++i) out.push_back(low + (high - low) * i / 40);
    return out;
  }
};

const std::vector<double> grid = [] {
  std::vector<double> out;
  for (int i = 1; i < 200; ++i) out.push_back(i / 200.0);
  return out;
}();

TEST_P(Contract, ExpectedLossIsLeastAtTheTrueProbabilityAndNowhereElse) {
  for (const double p : {0.005, 0.03, 0.2, 0.5, 0.615, 0.9, 0.99}) {
    const auto risk = [&](double u) {
      return p * loss_->partial(1, Probability(u)) + (1 - p) * loss_->partial(0, Probability(u));
    };
    const double least = risk(p);
    EXPECT_NEAR(loss_->bayes_risk(Probability(p)), least, 1e-14 * (1 + least));
    for (const double u : grid)
      EXPECT_TRUE(std::abs(u - p) < 1e-9 || risk(u) > least) << "p = " << p << ", u = " << u;
    // Strictness close by, where the risk rises by w (u - p)^2/2.
    for (const double u : {p - 1e-3, p + 1e-3}) EXPECT_GT(risk(u), least) << p;
  }
}

TEST_P(Contract, PartialLossesVanishOnTheRightLabelAndFallTowardsIt) {
  EXPECT_EQ(loss_->partial(1, Probability(1.0)), 0);
  EXPECT_EQ(loss_->partial(0, Probability(0.0)), 0);
  for (std::size_t i = 1; i < grid.size(); ++i) {
    EXPECT_LT(loss_->partial(1, Probability(grid[i])), loss_->partial(1, Probability(grid[i - 1])));
    EXPECT_GT(loss_->partial(0, Probability(grid[i])), loss_->partial(0, Probability(grid[i - 1])));
  }
}

TEST_P(Contract, LinkIsMinusTheSlopeOfTheBayesRiskAndWeightTheSlopeOfTheLink) {
  for (const double p : {0.01, 0.1, 0.35, 0.5, 0.77, 0.98}) {
    const double h = 1e-4 * std::min(p, 1 - p) * 10;
    const double slope = finite_difference([&](double u) { return loss_->bayes_risk(Probability(u)); }, p, h);
    const double weight = finite_difference([&](double u) { return loss_->link(Probability(u)); }, p, h);
    EXPECT_NEAR(loss_->link(Probability(p)), -slope, 1e-8 * (1 + std::abs(slope)));
    EXPECT_NEAR(loss_->weight(Probability(p)), weight, 1e-8 * (1 + weight));
  }
}

TEST_P(Contract, InverseLinkUndoesTheLink) {
  for (const double nu : sources())
    EXPECT_NEAR(loss_->link(loss_->inverse_link(nu)), nu, 1e-13 * (1 + std::abs(nu)));
  for (const double p : grid) EXPECT_NEAR(loss_->inverse_link(loss_->link(Probability(p))).one(), p, 1e-12);
}

TEST_P(Contract, ConjugateIsTheSupremumAndMeetsFenchelsEquality) {
  std::vector<double> nus = sources();
  nus.insert(nus.end(), {-30.0, -7.0, 7.0, 30.0});
  for (const double nu : nus) {
    const double conjugate = loss_->conjugate(nu);
    double supremum = std::max(0.0, nu);  // at u = 0 and u = 1, where L = 0
    for (const double u : grid) supremum = std::max(supremum, u * nu + loss_->bayes_risk(Probability(u)));
    EXPECT_GE(conjugate, supremum - 1e-12 * (1 + std::abs(nu)));
    const Probability u = loss_->inverse_link(nu);
    EXPECT_NEAR(conjugate, u.one() * nu + loss_->bayes_risk(u), 1e-12 * (1 + std::abs(nu)));
  }
}

TEST_P(Contract, CanonicalLossHasTheResidualAsItsSlope) {
  for (const double nu : sources())
    for (const int y : {0, 1}) {
      const double slope = finite_difference([&](double v) { return loss_->canonical(y, v); }, nu, 1e-4);
      EXPECT_NEAR(slope, loss_->inverse_link(nu).one() - y, 1e-8);
      EXPECT_NEAR(loss_->canonical(y, nu), loss_->conjugate(nu) - y * nu, 1e-12);
    }
}

TEST_P(Contract, LogLikelihoodDerivativesAgreeWithFiniteDifferences) {
  // The tail of a bounded link makes the fifth derivative large near the ends of its range; hence the small
  // step.
  const double h = 2e-5;
  for (const double nu : sources())
    for (const int y : {0, 1}) {
      const Derivatives3 d = loss_->log_likelihood(y, nu);
      const auto value = [&](double v) { return loss_->log_likelihood(y, v).value; };
      const auto first = [&](double v) { return loss_->log_likelihood(y, v).first; };
      const auto second = [&](double v) { return loss_->log_likelihood(y, v).second; };
      EXPECT_NEAR(d.value, std::log(loss_->inverse_link(nu).of(y)), 1e-12 * (1 + std::abs(d.value)));
      EXPECT_NEAR(d.first, finite_difference(value, nu, h), 1e-7 * (1 + std::abs(d.first))) << nu;
      EXPECT_NEAR(d.second, finite_difference(first, nu, h),
                  1e-7 * (1 + std::abs(d.first) + std::abs(d.second)))
          << nu;
      EXPECT_NEAR(d.third, finite_difference(second, nu, h),
                  1e-6 * (1 + std::abs(d.second) + std::abs(d.third)))
          << nu;
    }
}

TEST_P(Contract, IsSoundForExtremeSources) {
  for (const double nu : {-1e3, 1e3, -1e8, 1e8}) {
    const double conjugate = loss_->conjugate(nu);
    EXPECT_TRUE(std::isfinite(conjugate));
    EXPECT_GE(conjugate, std::max(nu, 0.0) - 1e-9 * std::abs(nu));
    const Probability u = loss_->inverse_link(nu);
    EXPECT_LT(nu > 0 ? u.zero() : u.one(), 1e-2);
    for (const int y : {0, 1}) {
      EXPECT_GE(loss_->canonical(y, nu), 0);
      const Derivatives3 d = loss_->log_likelihood(y, nu);
      if (!loss_->maps_onto_reals()) {  // outside of the range the label is certain
        EXPECT_EQ(d.value, (nu > 0) == (y == 1) ? 0 : -std::numeric_limits<double>::infinity());
        continue;
      }
      EXPECT_TRUE(std::isfinite(d.value) && std::isfinite(d.first) && std::isfinite(d.second) &&
                  std::isfinite(d.third));
      EXPECT_LE(d.value, 0);
      EXPECT_GE(y == 1 ? d.first : -d.first, 0);
    }
  }
}

TEST_P(Contract, ResolvesProbabilitiesAtBothEnds) {
  for (const double tiny : {1e-20, 1e-100, 1e-300}) {
    const Probability low(tiny);
    const Probability high = Probability::complement(tiny);
    EXPECT_LT(loss_->link(low), loss_->link(Probability(0.01)));
    EXPECT_GT(loss_->link(high), loss_->link(Probability(0.99)));
    for (const Probability& u : {low, high}) {
      EXPECT_TRUE(std::isfinite(loss_->link(u)));
      EXPECT_TRUE(std::isfinite(loss_->partial(0, u)) && std::isfinite(loss_->partial(1, u)));
      EXPECT_GE(loss_->bayes_risk(u), 0);
      EXPECT_LT(loss_->bayes_risk(u), 1e-4);
      EXPECT_FALSE(std::isnan(loss_->weight(u)));
      const double back = loss_->maps_onto_reals() ? loss_->inverse_link(loss_->link(u)).logit() : u.logit();
      EXPECT_NEAR(back, u.logit(), 1e-10 * std::abs(u.logit()));
    }
  }
}

TEST_P(Contract, BothFormsOfTheBregmanDivergenceAreEqual) {
  for (const double u : {0.02, 0.3, 0.5, 0.8, 0.97})
    for (const double v : {0.01, 0.25, 0.5, 0.66, 0.99}) {
      const double primal = primal_divergence(*loss_, Probability(u), Probability(v));
      const double dual = dual_divergence(*loss_, loss_->link(Probability(v)), loss_->link(Probability(u)));
      EXPECT_NEAR(primal, dual, 1e-12 * (1 + primal)) << u << " " << v;
      // And the definition, L(v) - L(u) + (u - v) L'(v).
      EXPECT_NEAR(primal,
                  loss_->bayes_risk(Probability(v)) - loss_->bayes_risk(Probability(u)) -
                      (u - v) * loss_->link(Probability(v)),
                  1e-12 * (1 + primal));
      EXPECT_TRUE(u == v ? std::abs(primal) < 1e-15 : primal > 0);
    }
}

TEST_P(Contract, TheDivergenceFromALabelIsTheLoss) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double v : {0.01, 0.4, 0.9})
    for (const int y : {0, 1}) {
      const Probability u(v);
      EXPECT_NEAR(primal_divergence(*loss_, Probability(y), u), loss_->partial(y, u), 1e-15);
      EXPECT_NEAR(dual_divergence(*loss_, loss_->link(u), y == 1 ? infinity : -infinity),
                  loss_->partial(y, u), 1e-13);
    }
}

TEST_P(Contract, SymmetryIsWhatItSays) {
  bool same = true;
  for (const double u : grid)
    same =
        same && std::abs(loss_->partial(1, Probability(u)) - loss_->partial(0, Probability(1 - u))) < 1e-12;
  EXPECT_EQ(same, loss_->symmetric());
}

TEST_P(Contract, NameReadsBackToTheSameLoss) {
  const auto again = make_loss(loss_->name());
  EXPECT_EQ(again->name(), loss_->name());
  EXPECT_EQ(again->tail(), loss_->tail());
  for (const double u : grid) EXPECT_EQ(again->link(Probability(u)), loss_->link(Probability(u)));
}

INSTANTIATE_TEST_SUITE_P(AllLosses, Contract, testing::ValuesIn(loss_names), test_name);

}  // namespace
}  // namespace linkgistic

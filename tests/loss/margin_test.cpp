// Margin losses: which are proper losses in disguise, and what a source does to them.
#include "loss/margin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "loss/composite_loss.hpp"
#include "loss/finite_difference.hpp"
#include "loss/function_source.hpp"
#include "loss/random_source.hpp"

namespace linkgistic {
namespace {

TEST(MarginLosses, HaveTheDerivativesTheySay) {
  for (const char* name : {"logistic", "exponential", "square", "matsushita"}) {
    const MarginLoss g = make_margin_loss(name);
    for (const double z : {-3.0, -0.7, 0.0, 0.4, 2.5}) {
      EXPECT_NEAR(g.at(z).first, finite_difference([&](double t) { return g.at(t).value; }, z, 1e-3), 1e-9)
          << name;
      EXPECT_NEAR(g.at(z).second, finite_difference([&](double t) { return g.at(t).first; }, z, 1e-3), 1e-9)
          << name;
    }
  }
}

TEST(MarginLosses, AreTheMarginFormsOfTheirProperLosses) {
  const auto expect_form = [](const char* proper, const char* margin) {
    const MarginLoss form = margin_form(make_loss(proper));
    const MarginLoss g = make_margin_loss(margin);
    for (const double z : {-20.0, -1.0, 0.0, 0.3, 4.0, 50.0}) {
      EXPECT_NEAR(form.at(z).value, g.at(z).value, 1e-12 * (1 + g.at(z).value)) << proper;
      EXPECT_NEAR(form.at(z).first, g.at(z).first, 1e-12) << proper;
      EXPECT_NEAR(form.at(z).second, g.at(z).second, 1e-12) << proper;
    }
  };
  expect_form("log", "logistic");
  expect_form("matsushita", "matsushita");
  EXPECT_THROW(margin_form(make_loss("cost=0.3")), UsageError);
}

TEST(MarginLosses, AreRepresentableUnderTheirOwnLinksOnly) {
  // G(y chi(u)) is a proper loss: logistic with chi = logit, exponential with half of it, square with 2u - 1.
  const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
  const auto half = [](double x) { return 1 / (1 + std::exp(-2 * x)); };
  const auto line = [](double x) { return (x + 1) / 2; };
  EXPECT_TRUE(representable(make_margin_loss("logistic"), logistic));
  EXPECT_TRUE(representable(make_margin_loss("exponential"), half));
  EXPECT_TRUE(representable(make_margin_loss("square"), line, 0.99));
  EXPECT_FALSE(representable(make_margin_loss("exponential"), logistic));
  EXPECT_FALSE(representable(make_margin_loss("logistic"), half));
  for (const char* name : {"log", "matsushita", "alpha=0.7", "square", "spherical"}) {
    const auto loss = make_loss(name);
    EXPECT_TRUE(representable(margin_form(loss), [&](double x) { return loss->inverse_link(x).one(); }))
        << name;
  }
}

TEST(MarginLosses, OfMatsushitaIsTheExponentialUnderHalfOfTheLogOdds) {
  const auto loss = make_loss("matsushita");
  const MarginLoss g = make_margin_loss("exponential");
  for (const double u : {0.01, 0.3, 0.5, 0.95}) {
    const double half_logit = std::log(u / (1 - u)) / 2;
    EXPECT_NEAR(g.at(half_logit).value, loss->partial(1, Probability(u)),
                1e-13 * loss->partial(1, Probability(u)));
    EXPECT_NEAR(g.at(-half_logit).value, loss->partial(0, Probability(u)),
                1e-13 * loss->partial(0, Probability(u)));
  }
}

TEST(MarginLosses, AreCalibratedWhereTheyFallAtZero) {
  for (const char* name : {"logistic", "exponential", "square", "matsushita"})
    EXPECT_TRUE(classification_calibrated(make_margin_loss(name))) << name;
  EXPECT_FALSE(classification_calibrated({[](double z) { return MarginLoss::Values{z * z, 2 * z, 2}; }}));
  EXPECT_FALSE(classification_calibrated({[](double z) {
    return MarginLoss::Values{std::exp(z), std::exp(z), std::exp(z)};
  }}));
}

TEST(Theorem, EverySourceHasACanonicalLinkThatMakesADecreasingMarginLossProper) {
  // thREPRES (i): g^-1 increases from 0 to 1, and with chi = nu^-1 o g the expected margin loss is least at
  // the truth.
  RandomStream random(11);
  for (const char* name : {"logistic", "exponential", "matsushita"}) {
    const MarginLoss margin = make_margin_loss(name);
    for (int draw = 0; draw < 20; ++draw) {
      const RandomSource source(random);
      double last = -1;
      for (double v = -3; v <= 3; v += 0.05) {
        const double u = constructed_inverse_link(margin, source, v);
        EXPECT_GT(u, last);
        EXPECT_TRUE(u >= 0 && u <= 1);
        last = u;
      }
      for (const double x : {-1.2, -0.3, 0.4, 0.9}) {
        // u = chi^-1(x) = g^-1(nu(x)) is the truth for which x is the best score.
        const double u = constructed_inverse_link(margin, source, source.at(x).value);
        const auto risk = [&](double h) { return u * margin.at(h).value + (1 - u) * margin.at(-h).value; };
        for (const double h : {x - 0.5, x - 0.01, x + 0.01, x + 0.5}) EXPECT_GT(risk(h), risk(x)) << name;
      }
    }
  }
}

TEST(Theorem, ASourceKeepsACalibratedMarginLossCalibrated) {
  // thREPRES (ii): G_nu'(0) = G'(0)/nu'(0) < 0 for sources with nu(0) = 0.
  RandomStream random(12);
  for (const char* name : {"logistic", "exponential", "square", "matsushita"})
    for (int draw = 0; draw < 50; ++draw) {
      const auto source = std::make_shared<RandomSource>(random);
      const MarginLoss composed = compose_with_source(make_margin_loss(name), source);
      EXPECT_TRUE(classification_calibrated(composed));
      EXPECT_NEAR(composed.at(0).first * source->at(0).first / make_margin_loss(name).at(0).first, 1, 1e-9);
    }
}

TEST(Theorem, ASourceThatDoesNotPassThroughZeroCanBreakCalibrationOfALossThatRises) {
  // The square margin loss rises beyond z = 1: with nu(2) = 0 its slope at 0 is positive. The theorem needs
  // nu(0) = 0.
  const auto shifted = std::make_shared<FunctionSource>([](double x) { return Source::Values{x - 2, 1, 0}; });
  EXPECT_FALSE(classification_calibrated(compose_with_source(make_margin_loss("square"), shifted)));
  EXPECT_TRUE(classification_calibrated(compose_with_source(make_margin_loss("logistic"), shifted)));
}

TEST(MarginLosses, ComposedWithASourceHaveTheDerivativesTheySay) {
  const auto source = std::make_shared<FunctionSource>([](double x) {
    return Source::Values{x + std::sin(x) / 2, 1 + std::cos(x) / 2, -std::sin(x) / 2};
  });
  const MarginLoss g = compose_with_source(make_margin_loss("logistic"), source);
  for (const double z : {-2.0, 0.3, 1.7}) {
    EXPECT_NEAR(g.at(z).first, finite_difference([&](double t) { return g.at(t).value; }, z, 1e-3), 1e-9);
    EXPECT_NEAR(g.at(z).second, finite_difference([&](double t) { return g.at(t).first; }, z, 1e-3), 1e-9);
  }
}

TEST(MarginLosses, RefuseAnUnknownName) { EXPECT_THROW(make_margin_loss("hinge"), UsageError); }

// The greatest slope of u -> G(y chi(u)) and of chi itself between neighbours of a fine grid of u.
std::pair<double, double> steepest(const CompositeLoss& loss, const MarginLoss& g, double from, double to) {
  constexpr int cells = 20000;
  const double lower = loss.inverse_link(from).one(), upper = loss.inverse_link(to).one();
  double of_g = 0, of_link = 0, last = from;
  for (int i = 1; i <= cells; ++i) {
    const double step = (upper - lower) / cells;
    const double x = loss.link(Probability(lower + step * i));
    of_link = std::max(of_link, (x - last) / step);
    for (const int y : {-1, 1})
      of_g = std::max(of_g, std::abs(g.at(y * x).value - g.at(y * last).value) / step);
    last = x;
  }
  return {of_g, of_link};
}

TEST(MarginLossOfASource, IsAsSteepAsItsBoundAllows) {
  const auto wavy = std::make_shared<FunctionSource>(
      [](double x) {
        return Source::Values{x + 0.45 * std::sin(2 * x), 1 + 0.9 * std::cos(2 * x), -1.8 * std::sin(2 * x)};
      },
      1.9);
  for (const char* name : {"log", "matsushita", "alpha=0.7"}) {
    const CompositeLoss loss(make_loss(name), wavy);
    const double bound = loss.margin_lipschitz_on(-2.5, 2);
    const auto [of_g, of_link] = steepest(loss, margin_form(make_loss(name)), -2.5, 2);
    EXPECT_LE(of_g, bound * (1 + 1e-6)) << name;
    EXPECT_GT(of_g, 0.3 * bound) << name;  // |G'| is near 1 at one of the two labels
    EXPECT_NEAR(of_link, bound, 1e-3 * bound) << name;
  }
}

TEST(MarginLossOfASource, HasNoBoundWhereTheSourceIsFlat) {
  // nu' = (x - 0.3217)^2: 0 between the points of every grid.
  const auto flat = std::make_shared<FunctionSource>(
      [](double x) {
        const double z = x - 0.3217;
        return Source::Values{z * z * z / 3, z * z, 2 * z};
      },
      10.0);
  const CompositeLoss loss(make_loss("log"), flat);
  EXPECT_EQ(loss.margin_lipschitz_on(-2, 2), std::numeric_limits<double>::infinity());
  EXPECT_LT(loss.margin_lipschitz_on(1, 2), 20);
}

}  // namespace
}  // namespace linkgistic

// Numbers that are read off a curve: where the bands cross, differences of the estimate, simulation.
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> x, y, trials;
};

// A four-parameter logistic curve of log dose: from 1 to 5, half of the effect at 2.
double dose_response(double x) { return 1 + 4 / (1 + std::exp(-2.5 * (x - 2))); }

Rows doses(std::size_t n, double noise, std::uint64_t seed, double sign = 1) {
  RandomStream random(seed);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.x.push_back(4.0 * static_cast<double>(i) / static_cast<double>(n - 1));
    rows.y.push_back(sign * dose_response(rows.x.back()) + noise * random.normal());
  }
  return rows;
}

FittedMonotoneRegression fit(const Rows& rows, MonotoneRegressionOptions options = {}) {
  options.threads = 1;
  return MonotoneRegression(options).fit_rows({rows.x, rows.y, {}, {}, {}, rows.trials});
}

TEST(Inverse, IsWhereEstimateAndBandsCrossTheLevel) {
  for (const double sign : {1.0, -1.0}) {
    const auto curve = fit(doses(60, 0.3, 1, sign));
    const double level = sign * 3;
    const CurveAnswer x = curve.inverse(level, 0.8);
    ASSERT_LT(x.lower, x.estimate);
    ASSERT_LT(x.estimate, x.upper);
    EXPECT_NEAR(x.estimate, 2, 0.3);
    const double places[] = {x.lower, x.estimate, x.upper};
    const Prediction p = curve.predict(places, 0.8);
    EXPECT_NEAR(p.estimate[1], level, 1e-8);
    EXPECT_NEAR(sign > 0 ? p.upper[0] : p.lower[0], level, 1e-8);
    EXPECT_NEAR(sign > 0 ? p.lower[2] : p.upper[2], level, 1e-8);
  }
}

TEST(Inverse, SaysWhatIsNotReached) {
  const auto curve = fit(doses(60, 0.2, 3));
  const CurveAnswer above = curve.inverse(7), below = curve.inverse(-2), edge = curve.inverse(5.02);
  EXPECT_TRUE(std::isnan(above.estimate) && std::isnan(above.upper));
  EXPECT_TRUE(std::isnan(below.estimate) && std::isnan(below.lower));
  EXPECT_TRUE(std::isnan(edge.upper));  // the band has room for it beyond the data
  EXPECT_THROW((void)curve.inverse(NAN), UsageError);
  EXPECT_THROW((void)curve.inverse(3, 1.5), UsageError);
  EXPECT_THROW((void)curve.inverse_share(1), UsageError);
  MonotoneRegressionOptions gp;
  gp.prior = PriorKind::gp;
  EXPECT_THROW((void)fit(doses(60, 0.2, 3), gp).inverse(3), UsageError);
}

// Bands of labels that are all alike towards the ends turn back there; the interval must not follow them.
TEST(Inverse, HasEndsWhereTheBandTurnsBack) {
  MonotoneRegressionOptions options;
  options.response = ResponseKind::bernoulli;
  int turned = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    RandomStream random(seed);
    Rows rows;
    for (int i = 0; i < 280; ++i) {
      rows.x.push_back(4 * random.uniform());
      rows.y.push_back(random.uniform() < 1 / (1 + std::exp(-6 * (rows.x.back() - 2))) ? 1 : 0);
    }
    const auto curve = fit(rows, options);
    const std::vector<double> ends{0, 4};
    const Prediction p = curve.predict(ends, 0.9);
    if (p.upper[0] > 0.5 || p.lower[1] < 0.5) ++turned;
    const CurveAnswer x = curve.inverse(0.5);
    EXPECT_LT(x.lower, x.estimate) << seed;
    EXPECT_LT(x.estimate, x.upper) << seed;
    EXPECT_LT(x.upper - x.lower, 1) << seed;
  }
  EXPECT_GT(turned, 0);  // else nothing was tried
}

TEST(Inverse, EstimateLiesInItsIntervalForEveryKindOfPosterior) {
  for (const Inference inference : {Inference::laplace, Inference::variational, Inference::mcmc}) {
    for (const PriorKind prior : {PriorKind::offset, PriorKind::isgp}) {
      MonotoneRegressionOptions options;
      options.inference = inference;
      options.prior = prior;
      options.harmonics = 6;
      options.draws = 200;
      const auto curve = fit(doses(25, 0.4, 8), options);
      for (const double interval : {0.05, 0.5, 0.9}) {
        const CurveAnswer level = curve.inverse(3, interval), share = curve.inverse_share(0.5, interval);
        for (const CurveAnswer& x : {level, share}) {
          EXPECT_LE(x.lower, x.estimate);
          EXPECT_LE(x.estimate, x.upper);
        }
        EXPECT_NEAR(share.estimate, level.estimate, 0.4);
      }
    }
  }
}

TEST(Inverse, ShareIsThatOfTheChangeFromTheLeftEnd) {
  for (const double sign : {1.0, -1.0}) {
    const auto curve = fit(doses(60, 0.1, 2, sign));
    for (const double share : {0.1, 0.5, 0.9}) {
      const double places[] = {0, 4, curve.inverse_share(share).estimate};
      const auto y = curve.estimate(places);
      EXPECT_NEAR(y[2], y[0] + share * (y[1] - y[0]), 1e-8);
    }
  }
  // A falling share, whose x is turned about in the fit.
  RandomStream random(4);
  Rows rows;
  for (int i = 0; i < 40; ++i) {
    rows.x.push_back(i / 4.0);
    double alive = 0;
    for (int k = 0; k < 10; ++k) alive += random.uniform() < 1 / (1 + std::exp(rows.x.back() - 5)) ? 1 : 0;
    rows.y.push_back(alive);
    rows.trials.push_back(10);
  }
  MonotoneRegressionOptions binomial;
  binomial.response = ResponseKind::binomial;
  const auto curve = fit(rows, binomial);
  ASSERT_TRUE(curve.summary().decreasing);
  const CurveAnswer half = curve.inverse(0.5), tenth = curve.inverse(0.1);
  EXPECT_NEAR(half.estimate, 5, 0.6);
  EXPECT_LT(half.lower, 5);
  EXPECT_GT(half.upper, 5);
  EXPECT_GT(tenth.estimate, half.estimate);
  const double places[] = {0, 9.75, curve.inverse_share(0.2).estimate};
  const auto y = curve.estimate(places);
  EXPECT_NEAR(y[2], y[0] + 0.2 * (y[1] - y[0]), 1e-8);
  EXPECT_THROW((void)curve.inverse(1.2), UsageError);
}

// 200 data sets: the standard error of a share of 0.9 is 0.021.
TEST(Inverse, IntervalsCoverTheTruth) {
  int level = 0, share = 0, sample = 0;
  constexpr int sets = 200;
  for (int i = 0; i < sets; ++i) {
    const auto curve = fit(doses(40, 0.3, 100 + static_cast<std::uint64_t>(i)));
    const CurveAnswer x = curve.inverse(3), half = curve.inverse_share(0.5);
    // The curve goes from 1.027 to 4.973, so half of its change is at 2 as well.
    level += x.lower < 2 && 2 < x.upper ? 1 : 0;
    share += half.lower < 2 && 2 < half.upper ? 1 : 0;
    RandomStream random(9000 + static_cast<std::uint64_t>(i));
    const double readings[] = {dose_response(1.7) + 0.3 * random.normal(),
                               dose_response(1.7) + 0.3 * random.normal()};
    const CurveAnswer unknown = curve.unknown(readings);
    sample += unknown.lower < 1.7 && 1.7 < unknown.upper ? 1 : 0;
    EXPECT_LE(unknown.lower, unknown.estimate);
    EXPECT_LE(unknown.estimate, unknown.upper);
  }
  for (const int covered : {level, share, sample}) {
    EXPECT_GE(covered, 0.83 * sets);
    EXPECT_LE(covered, 0.97 * sets);
  }
}

// A curve that is steepest at its first x, where a prior of one slope everywhere pulls it up: an interval
// that does not take the pull back misses to one side, and too often.
TEST(Inverse, IntervalsOfAShareCoverTheTruthWhereTheCurveIsSteepestAtAnEnd) {
  const double half = -std::log((1 + std::exp(-1.3 * 4)) / 2) / 1.3;
  int above = 0, below = 0;
  constexpr int sets = 200;
  for (std::uint64_t seed = 0; seed < sets; ++seed) {
    RandomStream random(500 + seed);
    Rows rows;
    for (int i = 0; i < 40; ++i) {
      rows.x.push_back(4.0 * i / 39);
      rows.y.push_back(1 - std::exp(-1.3 * rows.x.back()) + 0.08 * random.normal());
    }
    const CurveAnswer x = fit(rows).inverse_share(0.5);
    above += half < x.lower ? 1 : 0;
    below += x.upper < half ? 1 : 0;
  }
  EXPECT_LE(above + below, 0.17 * sets);
  EXPECT_GE(above + below, 0.03 * sets);
}

TEST(Functionals, AreThoseOfTheEstimate) {
  Rows rows = doses(80, 0.2, 5, -1);
  for (double& y : rows.y) y = std::exp(0.3 * y);  // positive, for gamma and ratios
  for (const ResponseKind kind : {ResponseKind::gaussian, ResponseKind::gamma}) {
    MonotoneRegressionOptions options;
    options.response = kind;
    const auto curve = fit(rows, options);
    const double x[] = {1.5, 3.2};
    const auto y = curve.estimate(x);
    const auto contains = [](const CurveAnswer& a) { return a.lower < a.estimate && a.estimate < a.upper; };
    const CurveAnswer difference = curve.functional(Functional::difference, x);
    EXPECT_NEAR(difference.estimate, y[1] - y[0], 1e-10);
    const CurveAnswer ratio = curve.functional(Functional::ratio, x);
    EXPECT_NEAR(ratio.estimate, y[1] / y[0], 1e-10);
    const double ends[] = {1.5 - 1e-5, 1.5 + 1e-5};
    const auto near = curve.estimate(ends);
    const CurveAnswer slope = curve.functional(Functional::slope, std::span(x, 1));
    EXPECT_NEAR(slope.estimate, (near[1] - near[0]) / 2e-5, 1e-5);
    double area = 0;
    for (int i = 0; i < 2000; ++i) {
      const double middle[] = {1.5 + 1.7 * (i + 0.5) / 2000};
      area += curve.estimate(middle)[0] * 1.7 / 2000;
    }
    const CurveAnswer integral = curve.functional(Functional::area, x);
    EXPECT_NEAR(integral.estimate, area, 1e-5 * area);
    EXPECT_TRUE(contains(difference) && contains(ratio) && contains(slope) && contains(integral));
    // The width of a difference is that of draws, up to their Monte Carlo error and what is not linear.
    double sum = 0, square = 0;
    for (const auto& draw : curve.sample(x, 2000)) {
      sum += draw[1] - draw[0];
      square += (draw[1] - draw[0]) * (draw[1] - draw[0]);
    }
    const double sd = std::sqrt(square / 2000 - sum * sum / 4e6);
    EXPECT_NEAR((difference.upper - difference.lower) / (2 * 1.645 * sd), 1, 0.15);
    const CurveAnswer steepest = curve.steepest();
    EXPECT_LE(steepest.lower, steepest.estimate);
    EXPECT_LE(steepest.estimate, steepest.upper);
    EXPECT_THROW((void)curve.functional(Functional::slope, x), UsageError);
    const double outside[] = {-1, 3};
    EXPECT_THROW((void)curve.functional(Functional::area, outside), UsageError);
  }
}

}  // namespace
}  // namespace linkgistic

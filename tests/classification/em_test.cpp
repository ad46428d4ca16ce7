#include "classification/em.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/local_engine.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// Labels of a score through a link of slope 2.5 below 0 and .3 above.
struct Problem {
  RowView view;
  std::vector<std::int32_t> labels;
  std::vector<double> nu;  // true log odds
  std::shared_ptr<RowEngine> engine;
};

Problem bent_problem(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<double> z(rows * columns);
  for (double& x : z) x = random.normal();
  Problem p;
  for (std::size_t n = 0; n < rows; ++n) {
    double x = 0;
    for (std::size_t j = 0; j < columns; ++j) x += z[n * columns + j] * (j % 2 == 0 ? 1.0 : -0.5);
    p.nu.push_back(x < 0 ? 2.5 * x : 0.3 * x);
    p.labels.push_back(random.uniform() < sigmoid(p.nu.back()) ? 1 : 0);
  }
  p.view.rows = float_rows(z, rows, columns);
  p.engine = make_local_engine({p.view.rows, p.labels, {}, {}}, 0);
  return p;
}

double mean_loss(std::span<const double> nu, std::span<const std::int32_t> labels) {
  double sum = 0;
  for (std::size_t n = 0; n < nu.size(); ++n) sum += softplus(labels[n] == 1 ? -nu[n] : nu[n]);
  return sum / static_cast<double>(nu.size());
}

std::vector<double> log_odds(const EmResult& fit, const Problem& at) {
  const std::vector<float> m = row_margins(at.view, 1, fit.beta, 1);
  return fit.links[0].at(std::vector<double>(m.begin(), m.end()), 1).nu;
}

LinkHyper hyper(PriorKind kind) {
  LinkHyper h;
  h.kind = kind;
  return h;
}

EmResult run(LinkgisticEm& em, const EmResult& logistic, const LinkHyper& h,
             const std::function<void(const EmResult&)>& on_step = {}) {
  return em.run({logistic}, LinkFamily(h), em.options().em_iterations, on_step).front();
}

class EveryPrior : public testing::TestWithParam<PriorKind> {};
INSTANTIATE_TEST_SUITE_P(Links, EveryPrior,
                         testing::Values(PriorKind::isgp, PriorKind::offset, PriorKind::gp));

TEST_P(EveryPrior, LearnsABentLinkFarBetterThanLogisticRegression) {
  const Problem train = bent_problem(5000, 10, 1);
  const Problem test = bent_problem(20000, 10, 2);
  LinkgisticEm em(*train.engine, {}, {1}, {});
  const EmResult logistic = em.logistic(1);
  const EmResult fit = run(em, logistic, hyper(GetParam()));
  const double truth = mean_loss(test.nu, test.labels);
  const double base = mean_loss(log_odds(logistic, test), test.labels);
  const double learned = mean_loss(log_odds(fit, test), test.labels);
  // At least four fifths of the way to the truth.
  EXPECT_GT(base - truth, 0.03);
  EXPECT_LT(learned - truth, 0.2 * (base - truth)) << "logistic " << base << " truth " << truth;
}

TEST_P(EveryPrior, TabulatesItsLossWithinTheStatedError) {
  const Problem train = bent_problem(3000, 5, 3);
  LinkgisticEm em(*train.engine, {}, {1}, {});
  const EmResult fit = run(em, em.logistic(1), hyper(GetParam()));
  const ClassLink& link = fit.links[0];
  const LossTable table = link.loss_table(*BaseLoss::log(), 0, 0);
  for (int i = 0; i <= 5000; ++i) {
    // Up to half the half range beyond either end, at places that are no nodes.
    const double m = link.range().middle() + link.range().half() * (-1.49 + 2.98 * i / 5000.0);
    const std::vector<double> at{m};
    const LinkValues v = link.at(at, 1);
    // At the ends of the range nu' has a bend, which one cell of the table cannot follow.
    const double to_end = std::min(std::abs(m - link.range().lower), std::abs(m - link.range().upper));
    const bool bend = to_end < table.step();
    for (const int label : {0, 1}) {
      const double sign = label == 1 ? -1 : 1;
      EXPECT_NEAR(table.at(label, m).value, softplus(sign * v.nu[0]), bend ? 5e-5 : 2e-8) << m;
      EXPECT_NEAR(table.at(label, m).slope, sign * sigmoid(sign * v.nu[0]) * v.slope[0], bend ? 1e-2 : 5e-6)
          << m;
    }
  }
}

TEST_P(EveryPrior, HasTheSlopeOfItsValues) {
  const Problem train = bent_problem(2000, 5, 4);
  LinkgisticEm em(*train.engine, {}, {1}, {});
  const EmResult fit = run(em, em.logistic(1), hyper(GetParam()));
  const ScoreRange range = fit.links[0].range();
  for (const double t : {-2.0, -0.9, -0.2, 0.5, 0.99, 1.5}) {
    const double m = range.middle() + t * range.half();
    const double h = 1e-5;
    const std::vector<double> at{m - h, m, m + h};
    const LinkValues v = fit.links[0].at(at, 1);
    EXPECT_NEAR(v.slope[1], (v.nu[2] - v.nu[0]) / (2 * h), 1e-7 * (1 + std::abs(v.slope[1])));
  }
}

TEST(LinkgisticEm, ClimbsItsObjectiveAndStaysStableOverTwentySteps) {
  // Many columns for the rows: where the ridge is all that holds the fit.
  const Problem train = bent_problem(400, 100, 5);
  const Problem test = bent_problem(20000, 100, 6);
  EmOptions options;
  options.em_iterations = 20;
  options.tolerance = 0;
  LinkgisticEm em(*train.engine, {}, {1}, options);
  const EmResult logistic = em.logistic(30);
  for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset}) {
    std::vector<double> losses, norms;
    const EmResult fit = run(em, logistic, hyper(kind), [&](const EmResult& now) {
      losses.push_back(mean_loss(log_odds(now, test), test.labels));
      norms.push_back(Eigen::Map<const Vector>(now.beta.data() + 1, 100).norm());
    });
    ASSERT_EQ(losses.size(), 21U);
    // The few rows tempt the paper's prior into a link that is 1.7 % worse; no step goes on from there.
    EXPECT_LT(losses.back(), 1.02 * *std::min_element(losses.begin(), losses.end()));
    EXPECT_NEAR(losses[20], losses[10], 1e-3);
    EXPECT_NEAR(norms[20], norms[10], 0.01 * norms[10]);
    for (std::size_t i = 1; i < fit.trace.size(); ++i)
      EXPECT_GT(fit.trace[i].objective, fit.trace[i - 1].objective - 0.1);
  }
}

TEST(LinkgisticEm, SamplesOfTheLinkGiveNearlyTheFitOfItsMode) {
  const Problem train = bent_problem(3000, 5, 7);
  LinkgisticEm mode(*train.engine, {}, {1}, {});
  EmOptions with_samples;
  with_samples.samples = 50;
  LinkgisticEm samples(*train.engine, {}, {1}, with_samples);
  const double a =
      mean_loss(log_odds(run(mode, mode.logistic(1), hyper(PriorKind::offset)), train), train.labels);
  const double b =
      mean_loss(log_odds(run(samples, samples.logistic(1), hyper(PriorKind::offset)), train), train.labels);
  EXPECT_NE(a, b);
  EXPECT_NEAR(a, b, 2e-3);
}

TEST(LinkgisticEm, KeepsTheBestFitWhenInterrupted) {
  const Problem train = bent_problem(3000, 5, 8);
  int asked = 0;
  bool links = false;
  EmOptions options;
  options.stop = [&] { return links && ++asked > 1; };
  LinkgisticEm em(*train.engine, {}, {1}, options);
  const EmResult logistic = em.logistic(1);
  links = true;
  const EmResult fit = run(em, logistic, hyper(PriorKind::isgp));
  EXPECT_TRUE(fit.interrupted);
  EXPECT_FALSE(fit.links[0].is_identity());
  EXPECT_LT(mean_loss(log_odds(fit, train), train.labels),
            mean_loss(log_odds(logistic, train), train.labels));
}

// The loop with E-steps that have these objectives; beta is the number of the step.
EmResult iterate_through(const std::vector<double>& objective) {
  EmOptions options;
  options.em_iterations = static_cast<int>(objective.size()) - 1;
  const Problem train = bent_problem(100, 2, 9);
  EmOptions one;
  one.em_iterations = 0;
  LinkgisticEm em(*train.engine, {}, {1}, one);
  EmResult start = run(em, em.logistic(1), hyper(PriorKind::offset));
  start.trace.resize(1);
  start.beta = {0};
  const auto link = [&](EmResult& state) {
    state.trace.back().objective = objective[state.trace.size() - 1];
  };
  const auto solve = [](int step, std::span<EmResult* const> states) {
    for (EmResult* state : states) {
      state->trace.emplace_back();
      state->beta = {static_cast<double>(step)};
    }
  };
  return iterate({start}, options, link, solve, {}).front();
}

TEST(Iterate, KeepsTheBestStep) {
  const EmResult fit = iterate_through({-10, -8, -9, -8.5, -8.7});
  EXPECT_EQ(fit.beta[0], 1);
  EXPECT_EQ(fit.trace.size(), 5U);
}

TEST(Iterate, SaysHowItEnded) {
  const EmResult still = iterate_through({-10, -8, -8.0001, -1});
  EXPECT_EQ(still.stop, EmStop::converged);
  EXPECT_EQ(still.trace.size(), 3U);
  EXPECT_EQ(iterate_through({-10, -9, -8, -7, -6}).stop, EmStop::iteration_limit);
  EXPECT_EQ(iterate_through({-10, -9, -8, -8.2, -8.1}).stop, EmStop::iteration_limit);
  const EmResult about = iterate_through({-10, -8, -8.3, -8.2, -8.1});
  EXPECT_EQ(about.stop, EmStop::no_rise);
  EXPECT_EQ(about.beta[0], 1);
}

// A ripple of less than half a nat that leads nowhere is an end; a zigzag and a slow rise are none.
TEST(Iterate, TellsARippleFromAZigzagAndARise) {
  const auto repeated = [](std::vector<double> cycle, double rise = 0) {
    std::vector<double> objective{-20};
    for (int i = 0; i < 12; ++i)
      objective.push_back(cycle[static_cast<std::size_t>(i) % cycle.size()] + rise * i);
    return iterate_through(objective);
  };
  const EmResult two = repeated({-10.2, -10});
  EXPECT_EQ(two.stop, EmStop::converged);
  EXPECT_EQ(two.trace.size(), 13U);  // to the last step: one may be better yet
  EXPECT_EQ(repeated({-10.2, -10, -10.1}).stop, EmStop::converged);
  EXPECT_EQ(repeated({-10, -11}).stop, EmStop::no_rise);
  EXPECT_EQ(repeated({-10, -10.6}).stop, EmStop::no_rise);
  EXPECT_EQ(repeated({-10}, 0.05).stop, EmStop::iteration_limit);
  // A ripple far below the best step is none.
  std::vector<double> fallen{-20, -8};
  for (int i = 0; i < 12; ++i) fallen.push_back(i % 2 == 0 ? -10 : -10.1);
  EXPECT_EQ(iterate_through(fallen).stop, EmStop::no_rise);
}

// 100 rows: a change of 5 is .05 a row, whatever the size of the objective.
TEST(Iterate, AnObjectiveOfAnySizeConvergesByTheRow) {
  EXPECT_EQ(iterate_through({-1e12, -1e12 + 5, -1e12 + 10}).stop, EmStop::iteration_limit);
  EXPECT_EQ(iterate_through({-1e12, -1e12 + 0.005, -1}).stop, EmStop::converged);
}

}  // namespace
}  // namespace linkgistic

// A regression that is told to stop keeps the best so far, and tells how far it is.
#include <algorithm>
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "regression/regression_rows.hpp"

namespace linkgistic {
namespace {

bool has(const std::vector<std::string>& warnings, const std::string& words) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

// Stops a fit at the given step of a phase.
MonotoneRegressionOptions stopped_at(const std::string& phase, int step, MonotoneRegressionOptions options) {
  const auto stop = std::make_shared<bool>(false);
  options.on_progress = [stop, phase, step](const FitProgress& p) {
    if (p.phase == phase && p.step >= step) *stop = true;
  };
  options.stop = [stop] { return *stop; };
  return options;
}

void expect_valid(const FittedMonotoneRegression& model) {
  const auto x = grid(-2, 12);
  const Prediction p = model.predict(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_TRUE(std::isfinite(p.lower[i]) && std::isfinite(p.upper[i]));
    EXPECT_TRUE(p.lower[i] < p.estimate[i] && p.estimate[i] < p.upper[i]);
    EXPECT_GE(p.estimate[i], p.estimate[i - (i > 0 ? 1 : 0)]);
  }
  EXPECT_EQ(FittedMonotoneRegression::from_json(model.to_json(), "text").estimate(x), p.estimate);
}

TEST(RegressionStop, AfterAnyNumberOfQuestionsThereIsAValidModelOrInterrupted) {
  const Rows rows = noisy_steps(40, 18);
  for (const Inference inference : {Inference::laplace, Inference::variational}) {
    int questions = 0;
    MonotoneRegressionOptions all;
    all.prior = PriorKind::isgp;
    all.harmonics = 6;
    all.inference = inference;
    all.profiles = true;
    all.stop = [&questions] { return ++questions < 0; };
    const auto whole = fit(rows, all);
    ASSERT_TRUE(whole.summary().converged);
    const int needed = questions;
    bool found = false;
    for (int allowed = 0; allowed < needed; allowed += 1 + allowed / 4) {
      SCOPED_TRACE(allowed);
      questions = 0;
      MonotoneRegressionOptions options = all;
      options.stop = [&questions, allowed] { return ++questions > allowed; };
      try {
        const auto model = fit(rows, options);
        EXPECT_GE(allowed, 3) << "one in each pass over the rows, and one before the first mode";
        found = true;
        expect_valid(model);
        EXPECT_FALSE(model.summary().warnings.empty());
        EXPECT_EQ(model.summary().converged, model.summary().stop != "interrupted");
      } catch (const Interrupted&) {
        EXPECT_FALSE(found) << "after the first mode a stop keeps it";
      }
    }
    EXPECT_TRUE(found);
  }
}

TEST(RegressionStop, InTheSearchKeepsTheBestHyperParametersSoFar) {
  const Rows rows = noisy_steps(60, 3);
  for (const auto& v : variants()) {
    SCOPED_TRACE(v.name);
    const auto model = fit(rows, stopped_at("search", 3, v.options));
    EXPECT_EQ(model.summary().stop, "interrupted");
    EXPECT_FALSE(model.summary().converged);
    EXPECT_TRUE(has(model.summary().warnings, "did not converge: interrupted"));
    if (v.options.prior != PriorKind::gp) expect_valid(model);
    // Held at what it found, a fit has the same evidence.
    MonotoneRegressionOptions held = v.options;
    for (const HyperValue& h : model.summary().hyper_parameters) held.fixed[h.name] = h.value;
    EXPECT_NEAR(fit(rows, held).log_evidence(), model.log_evidence(), 1e-4 * std::abs(model.log_evidence()));
  }
}

TEST(RegressionStop, InSamplingLeavesTheGaussian) {
  const Rows rows = noisy_steps(60, 4);
  MonotoneRegressionOptions options;
  const auto laplace = fit(rows, options);
  options.inference = Inference::mcmc;
  const auto model = fit(rows, stopped_at("sampling", 200, options));
  EXPECT_TRUE(model.summary().converged);
  EXPECT_EQ(model.summary().point_estimate, "mode");
  EXPECT_TRUE(has(model.summary().warnings, "stopped before the posterior was found by mcmc"));
  EXPECT_EQ(model.estimate(grid(0, 10)), laplace.estimate(grid(0, 10)));
  expect_valid(model);
}

TEST(RegressionStop, InTheVariationalSearchKeepsTheBestBoundSoFar) {
  const Rows rows = noisy_steps(60, 5);
  MonotoneRegressionOptions options;
  options.inference = Inference::variational;
  const auto whole = fit(rows, options);
  const auto model = fit(rows, stopped_at("variational", 2, options));
  EXPECT_EQ(model.summary().stop, "interrupted");
  EXPECT_EQ(model.summary().point_estimate, "mean");
  EXPECT_EQ(model.summary().evaluations, 2);
  EXPECT_LE(model.log_evidence(), whole.log_evidence() + 1e-6);
  expect_valid(model);
}

TEST(RegressionProgress, TellsEveryEvaluationAndTheDraws) {
  const Rows rows = noisy_steps(60, 6);
  MonotoneRegressionOptions options;
  options.direction = Direction::increasing;
  options.inference = Inference::mcmc;
  options.draws = 100;
  std::vector<double> objectives;
  int draws = 0, of = 0;
  double seconds = 0;
  options.on_progress = [&](const FitProgress& p) {
    EXPECT_GE(p.seconds, seconds);
    seconds = p.seconds;
    if (p.phase == "search") {
      objectives.push_back(p.objective);
      EXPECT_EQ(p.step, static_cast<int>(objectives.size()));
    } else {
      EXPECT_EQ(p.phase, "sampling");
      EXPECT_GT(p.step, draws);
      draws = p.step;
      of = p.of;
    }
  };
  const auto model = fit(rows, options);
  EXPECT_EQ(objectives, model.summary().trace);
  EXPECT_EQ(draws, of - of % 100);
  EXPECT_GE(of, 4 * 100);
}

}  // namespace
}  // namespace linkgistic

// The three inferences of a regression: what each promises a user.
#include "regression/posterior.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "inference/faint_noise.hpp"
#include "numeric/quantile.hpp"
#include "regression/regression_rows.hpp"
#include "response/gaussian_moments.hpp"
#include "source/trig_source.hpp"
#include "table/row_stream.hpp"
#include "table/toys.hpp"

namespace linkgistic {
namespace {

MonotoneRegressionOptions with(Inference inference) {
  MonotoneRegressionOptions options;
  options.inference = inference;
  options.harmonics = 8;
  options.draws = 200;
  return options;
}

const Inference inferences[] = {Inference::laplace, Inference::variational, Inference::mcmc};

TEST(RegressionInference, EveryKindIsMonotoneHasOrderedBandsAndRoundTrips) {
  const Rows rows = noisy_steps(60, 3);
  for (const Inference inference : inferences) {
    SCOPED_TRACE(static_cast<int>(inference));
    const auto model = fit(rows, with(inference));
    const auto x = grid(-3, 13);
    const Prediction p = model.predict(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_LE(p.lower[i], p.estimate[i]);
      EXPECT_LE(p.estimate[i], p.upper[i]);
      EXPECT_LT(p.obs_lower[i], p.lower[i]);
      EXPECT_GT(p.obs_upper[i], p.upper[i]);
      if (i > 0) {
        EXPECT_GE(p.estimate[i], p.estimate[i - 1] - 1e-9);
      }
    }
    for (const auto& path : model.sample(x, 5, 1)) EXPECT_TRUE(std::is_sorted(path.begin(), path.end()));
    const Curve slope = model.derivative(x);
    EXPECT_GE(*std::min_element(slope.lower.begin(), slope.lower.end()), 0);
    EXPECT_FALSE(model.summary().posterior.empty());
    const auto back = FittedMonotoneRegression::from_json(model.to_json(), "memory");
    EXPECT_EQ(back.to_json(), model.to_json());
    EXPECT_EQ(back.predict(x).lower, p.lower);
    EXPECT_EQ(back.predict(x).obs_upper, p.obs_upper);
  }
}

TEST(RegressionInference, TheKindsAgreeWhereDataAreMany) {
  const Rows rows = noisy_steps(4000, 5);
  const auto x = grid(1, 9, 9);
  const Prediction laplace = fit(rows, with(Inference::laplace)).predict(x);
  for (const Inference inference : {Inference::variational, Inference::mcmc}) {
    const Prediction p = fit(rows, with(inference)).predict(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(p.estimate[i], laplace.estimate[i], 0.05);
      EXPECT_NEAR((p.upper[i] - p.lower[i]) / (laplace.upper[i] - laplace.lower[i]), 1, 0.35);
      EXPECT_NEAR(p.obs_upper[i], laplace.obs_upper[i], 0.08);
    }
  }
}

TEST(RegressionInference, GaussianProcessHasOneVariationalPosteriorTheLaplaceOne) {
  const Rows rows = noisy_steps(40, 6);
  auto options = with(Inference::laplace);
  options.prior = PriorKind::gp;
  options.fixed = {{"a", 1.5}, {"b", 4}, {"gamma", 0.1}, {"mu", 0}, {"noise", 0.5}};
  const auto laplace = fit(rows, options);
  options.inference = Inference::variational;
  const auto variational = fit(rows, options);
  EXPECT_NEAR(variational.log_evidence(), laplace.log_evidence(), 1e-6);
  const auto x = grid(-1, 11, 13);
  const Prediction p = laplace.predict(x), q = variational.predict(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(q.estimate[i], p.estimate[i], 1e-5);
    EXPECT_NEAR(q.upper[i], p.upper[i], 1e-4);
  }
  EXPECT_LT(variational.summary().pareto_k, 0.5);
}

TEST(RegressionInference, EveryVariantHasAVariationalFit) {
  const Rows rows = noisy_steps(40, 8);
  for (auto v : variants()) {
    SCOPED_TRACE(v.name);
    v.options.inference = Inference::variational;
    if (v.options.basis == BasisKind::nystrom) v.options.harmonics = 3;
    const auto model = fit(rows, v.options);
    EXPECT_TRUE(std::isfinite(model.log_evidence()));
    const Prediction p = model.predict(rows.x);
    double error = 0;
    for (std::size_t i = 0; i < rows.x.size(); ++i)
      error += std::pow(p.estimate[i] - 3 * std::tanh(rows.x[i] - 6), 2);
    EXPECT_LT(error / static_cast<double>(rows.x.size()), 0.5);
  }
}

TEST(RegressionInference, VariationalStaysWithTheDataWhereTheNoiseIsFaint) {
  for (const std::uint64_t seed : {5U, 10U, 11U}) {
    const FaintNoise data(seed);
    const auto model = fit({data.x, data.y, {}}, with(Inference::variational));
    const auto x = grid(-1, 1);
    const auto estimate = model.predict(x).estimate;
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(estimate[i], data.truth(x[i]), 0.05) << seed;
    EXPECT_EQ(model.summary().point_estimate, "mean");  // not dropped
  }
}

TEST(RegressionInference, ACurveFarFromEveryYLeavesTheirRange) {
  const Vector inside = Vector::LinSpaced(5, -1, 2);
  EXPECT_FALSE(leaves_range(inside, 0, 1));
  EXPECT_FALSE(leaves_range(2.9 * inside / 2, 0, 1));
  EXPECT_TRUE(leaves_range(4.1 * inside / 2, 0, 1));   // above 1 by more than three times 1
  EXPECT_TRUE(leaves_range(-4.1 * inside / 2, 0, 1));  // below
  EXPECT_TRUE(leaves_range(Vector::Constant(2, std::nan("")), 0, 1));
}

TEST(RegressionInference, SaysThatAVariationalFitWasDropped) {
  const TrigSource family(PriorKind::offset, 3, 0.5);
  const auto rows =
      std::make_shared<GaussianMoments>(family.at(start_theta(family.hyper_parameters())).features);
  const std::vector<double> x{-0.5, 0, 0.5}, y{-1, 0.1, 1};
  rows->add(x, y, {}, 1);
  const Problem problem(family, [&](const std::shared_ptr<const Features>&) { return rows; }, {-1, 1});
  const LaplaceFit laplace = learn(problem);
  ProgressMonitor monitor(nullptr, nullptr);
  const RegressionPosterior result =
      regression_posterior(with(Inference::variational), problem, {}, laplace, std::nullopt, true, monitor);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_NE(result.warnings[0].find("the variational fit left the range of y and was dropped"),
            std::string::npos);
  EXPECT_EQ(result.posterior->point_estimate(), "mode");
  EXPECT_EQ(result.theta, laplace.theta);
}

TEST(RegressionInference, SaysWhenThePlainLaplaceEvidenceRunsAway) {
  // Acceleration against mpg, every fifth row: without the guard an eigenvalue of the curvature goes to 0.
  const std::vector<std::string> columns{"acceleration", "mpg"};
  CompleteRows table(open_auto_mpg(), columns, MissingValues::drop);
  Rows rows;
  while (const std::size_t n = table.next()) {
    for (std::size_t i = 1; i < n; i += 5) {
      rows.x.push_back(table.column(0)[i]);
      rows.y.push_back(table.column(1)[i]);
    }
  }
  auto options = with(Inference::laplace);
  options.prior = PriorKind::isgp;
  const auto says_so = [&] {
    const auto warnings = fit(rows, options).summary().warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
      return warning.find("runs away") != std::string::npos;
    });
  };
  EXPECT_FALSE(says_so());
  options.curvature_floor = 1e-300;  // the paper's
  EXPECT_TRUE(says_so());
}

TEST(RegressionInference, HyperParametersOfSamplesAreTheMediansOfTheirDraws) {
  auto options = with(Inference::mcmc);
  options.draws = 100;  // at most twice as many in four chains: all are kept
  const auto file = nlohmann::json::parse(fit(noisy_steps(60, 3), options).to_json());
  const auto& draws = file.at("posterior").at("theta");
  const auto theta = file.at("theta").get<std::vector<double>>();
  for (std::size_t i = 0; i < theta.size(); ++i) {
    std::vector<double> values;
    for (const auto& draw : draws) values.push_back(draw.at(i).get<double>());
    EXPECT_EQ(theta[i], quantile(values, 0.5)) << i;
  }
}

TEST(RegressionInference, DrawsAreOfTheSeed) {
  const Rows rows = noisy_steps(60, 3);
  const auto lower = [&](std::uint64_t seed) {
    auto options = with(Inference::mcmc);
    options.draws = 100;
    options.seed = seed;
    return fit(rows, options).predict(grid(0, 10, 5)).lower;
  };
  const auto one = lower(1), two = lower(2);
  EXPECT_EQ(one, lower(1));
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_GT(std::abs(one[i] - two[i]), 1e-6) << i;
}

// Few rows of a squared function: no Gaussian is near some of their posteriors, and those warn.
TEST(RegressionInference, AGaussianThatMissesThePosteriorWarns) {
  auto options = with(Inference::laplace);
  options.prior = PriorKind::isgp;
  int poor = 0, fair = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const RegressionSummary summary = fit(noisy_steps(seed < 6 ? 6 : 60, seed), options).summary();
    const bool warns =
        std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const std::string& w) {
          return w.find("the posterior: Gaussian at the mode, poor") != std::string::npos;
        });
    EXPECT_EQ(warns, summary.pareto_k >= 1) << seed;
    ++(warns ? poor : fair);
  }
  EXPECT_GT(poor, 0);
  EXPECT_GT(fair, 0);
}

TEST(RegressionInference, TooFewDrawsAreRefused) {
  auto options = with(Inference::mcmc);
  options.draws = 10;
  EXPECT_THROW(MonotoneRegression{options}, UsageError);
}

}  // namespace
}  // namespace linkgistic

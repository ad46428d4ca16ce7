// Regressions of labels and trials with guesses and lapses: equivalent rows give one fit, rates are found,
// levels are those of the mean, files, and what is refused.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "reference/partitions.hpp"
#include "regression/engine.hpp"
#include "regression/fit.hpp"
#include "response/responses.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> x, y, weight, trials;
  [[nodiscard]] RowBlock view() const { return {x, y, weight, {}, {}, trials}; }
};

double mean_at(double x, double guess, double lapse) {
  return guess + (1 - guess - lapse) / (1 + std::exp(-8 * (x - 0.5)));
}

Rows simulated(int n, double trials, double lapse, std::uint64_t seed) {
  RandomStream random(seed);
  Rows rows;
  for (int i = 0; i < n; ++i) {
    rows.x.push_back(random.uniform());
    double y = 0;
    for (int k = 0; k < trials; ++k) y += random.uniform() < mean_at(rows.x.back(), 0.5, lapse) ? 1 : 0;
    rows.y.push_back(y);
    if (trials > 1) rows.trials.push_back(trials);
  }
  return rows;
}

MonotoneRegressionOptions options_of(ResponseKind kind, Rate lapse = {0.02}) {
  MonotoneRegressionOptions options;
  options.response = kind;
  options.guess = {0.5};
  options.lapse = lapse;
  options.harmonics = 6;
  options.threads = 1;
  return options;
}

double difference(const FittedMonotoneRegression& a, const FittedMonotoneRegression& b) {
  const std::vector<double> x{0, 0.2, 0.4, 0.5, 0.6, 0.8, 1};
  const Prediction p = a.predict(x), q = b.predict(x);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    most = std::max({most, std::abs(p.estimate[i] - q.estimate[i]), std::abs(p.lower[i] - q.lower[i]),
                     std::abs(p.upper[i] - q.upper[i])});
  return most;
}

TEST(ForcedChoiceRegression, TrialsAreRepeatedLabels) {
  const Rows rows = simulated(60, 5, 0.02, 1);
  Rows labels, weighed;
  double ways = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    for (int k = 0; k < 5; ++k) {
      labels.x.push_back(rows.x[i]);
      labels.y.push_back(k < rows.y[i] ? 1 : 0);
    }
    for (const double label : {0.0, 1.0}) {
      weighed.x.push_back(rows.x[i]);
      weighed.y.push_back(label);
      weighed.weight.push_back(label == 1 ? rows.y[i] : 5 - rows.y[i]);
    }
    ways += std::lgamma(6) - std::lgamma(rows.y[i] + 1) - std::lgamma(6 - rows.y[i]);
  }
  auto options = options_of(ResponseKind::binomial);
  options.fixed = {{"a", 1.5}, {"v", 0.3}, {"scale", 0.2}, {"gamma", 1}, {"mu", 0.5}};
  const auto binomial = MonotoneRegression(options).fit_rows(rows.view());
  options.response = ResponseKind::bernoulli;
  const auto bernoulli = MonotoneRegression(options).fit_rows(labels.view());
  EXPECT_LT(difference(binomial, bernoulli), 1e-9);  // modes to the stop of Newton's method
  EXPECT_NEAR(binomial.log_evidence(), bernoulli.log_evidence() + ways, 1e-8);
  EXPECT_LT(difference(bernoulli, MonotoneRegression(options).fit_rows(weighed.view())), 1e-9);
  EXPECT_EQ(binomial.summary().rows, 60U);
  EXPECT_EQ(binomial.summary().total_weight, 60);
}

TEST(ForcedChoiceRegression, LevelsAreThoseOfTheMean) {
  const auto fit =
      MonotoneRegression(options_of(ResponseKind::binomial)).fit_rows(simulated(300, 4, 0.02, 2).view());
  const CurveAnswer at = fit.inverse(0.75);
  EXPECT_NEAR(fit.estimate(std::vector{at.estimate})[0], 0.75, 1e-9);
  EXPECT_NEAR(at.estimate, 0.5, 0.05);  // five times the width that 1,200 trials leave
  EXPECT_LT(at.lower, at.estimate);
  EXPECT_GT(at.upper, at.estimate);
  for (const double level : {0.4, 0.99}) {
    try {
      (void)fit.inverse(level);
      ADD_FAILURE() << level;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("between 0.5 and 0.98"), std::string::npos) << error.what();
    }
  }
  // The slope of the mean, by differences of its estimate.
  const std::vector<double> about{0.5 - 1e-4, 0.5 + 1e-4};
  const auto m = fit.estimate(about);
  EXPECT_NEAR(fit.functional(Functional::slope, std::vector{0.5}).estimate, (m[1] - m[0]) / 2e-4, 1e-5);
}

TEST(ForcedChoiceRegression, LearnsTheLapseAndKeepsIt) {
  const Rows rows = simulated(4000, 1, 0.06, 3);
  const auto fit = MonotoneRegression(options_of(ResponseKind::bernoulli, {0, true})).fit_rows(rows.view());
  double lapse = -1;
  for (const HyperValue& h : fit.summary().hyper_parameters)
    if (h.name == "lapse") lapse = h.value;
  // About a fifth of the rows tell of it: a standard error of .01, and the curve's own uncertainty.
  EXPECT_GT(lapse, 0.02);
  EXPECT_LT(lapse, 0.1);
  const auto same = FittedMonotoneRegression::from_json(fit.to_json(), "memory");
  EXPECT_TRUE(same.options().lapse.learned);
  EXPECT_EQ(same.options().guess.value, 0.5);
  EXPECT_EQ(difference(fit, same), 0);
  EXPECT_EQ(same.to_json(), fit.to_json());
}

// Those who hold the rows know the response by its name.
TEST(ForcedChoiceRegression, PartitionsOfRowsGiveOneModel) {
  const Rows rows = simulated(300, 3, 0.02, 6);
  const auto options = options_of(ResponseKind::binomial);
  const std::string whole = file_digest(MonotoneRegression(options).fit_rows(rows.view()));
  const auto plain = named_response("binomial");
  expect_one_digest(
      whole, rows.x.size(), rows_per_block, 3, 2,
      [&](const std::vector<std::size_t>& cuts, std::uint64_t seed, int threads) {
        const auto engine = make_partitioned_regression(rows.view(), *plain, cuts, seed, threads);
        return file_digest(
            FittedMonotoneRegression(fit_regression(options, regression_response(options), *engine)));
      });
}

TEST(ForcedChoiceRegression, ScoresAreThoseOfTheMean) {
  const Rows rows = simulated(100, 6, 0.02, 4);
  const auto fit = MonotoneRegression(options_of(ResponseKind::binomial)).fit_rows(rows.view());
  const RowScores scores = fit.score_rows(rows.view());
  const auto mean = fit.estimate(rows.x);
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    const double y = rows.y[i], p = mean[i];
    const double ways = std::lgamma(7) - std::lgamma(y + 1) - std::lgamma(7 - y);
    EXPECT_NEAR(scores.log_density[i], ways + y * std::log(p) + (6 - y) * std::log1p(-p), 1e-10);
  }
}

TEST(ForcedChoiceRegression, EveryInferenceButTheBound) {
  auto options = options_of(ResponseKind::bernoulli);
  const Rows rows = simulated(150, 1, 0.02, 5);
  const auto laplace = MonotoneRegression(options).fit_rows(rows.view());
  options.inference = Inference::mcmc;
  options.draws = 300;
  const auto draws = MonotoneRegression(options).fit_rows(rows.view());
  // Both are the same posterior, one by its mode: a fifth of its spread apart at most, and sampling noise.
  const std::vector<double> x{0.2, 0.5, 0.8};
  const auto a = laplace.predict(x), b = draws.predict(x);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(a.estimate[i], b.estimate[i], (a.upper[i] - a.lower[i]) / 2);
  options.inference = Inference::variational;
  EXPECT_THROW((void)MonotoneRegression(options), UsageError);
}

TEST(ForcedChoiceRegression, RatesThatCannotBeAreRefused) {
  const auto refused = [](auto set) {
    auto options = options_of(ResponseKind::bernoulli, {});
    set(options);
    try {
      options.validate();
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  using O = MonotoneRegressionOptions;
  EXPECT_EQ(refused([](O& o) { o.guess = {1}; }), "guess = 1: it must be at least 0 and below 1, or learn");
  EXPECT_EQ(refused([](O& o) { o.lapse = {-0.1}; }),
            "lapse = -0.1: it must be at least 0 and below 1, or learn");
  EXPECT_EQ(refused([](O& o) { o.lapse = {0.5}; }),
            "guess = 0.5, lapse = 0.5: together they must be below 1");
  EXPECT_EQ(refused([](O& o) { o.response = ResponseKind::poisson; }),
            "guess = 0.5, lapse = 0: only the responses bernoulli and binomial have them, not poisson");
  EXPECT_EQ(refused([](O&) {}), "accepted");
}

}  // namespace
}  // namespace linkgistic

// The three posteriors of a classifier's links: bands, files, seeds, refusals.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/bent_rows.hpp"
#include "classification/link_fit.hpp"
#include "source/source_curve.hpp"

namespace linkgistic {
namespace {

constexpr Inference kinds[] = {Inference::laplace, Inference::variational, Inference::mcmc};

LinkgisticOptions few_steps(Inference inference) {
  LinkgisticOptions options;
  options.inference = inference;
  options.l2 = 1;
  options.v = 0.2;
  options.harmonics = 6;
  options.em_iterations = 3;
  options.draws = 200;
  return options;
}

TEST(ClassifierInference, EveryKindHasOrderedBandsThatAFileKeeps) {
  const ClassificationData data = bent_rows(400, 3, 2, 1);
  for (const Inference inference : kinds) {
    const auto fit = LinkgisticClassifier(few_steps(inference)).fit(data);
    const auto again = FittedLinkgisticClassifier::from_json(fit.to_json(), "text");
    const ClassPrediction p = fit.predict(data.rows, 0.8), q = again.predict(data.rows, 0.8);
    EXPECT_EQ(p.lower, q.lower);
    EXPECT_EQ(p.upper, q.upper);
    EXPECT_EQ(p.probability, q.probability);
    EXPECT_EQ(again.options().inference, inference);
    EXPECT_EQ(again.summary().posterior, fit.summary().posterior);
    EXPECT_EQ(again.to_json(), fit.to_json());
    EXPECT_NE(fit.summary().posterior.find(inference == Inference::mcmc ? "R-hat" : "Pareto k"),
              std::string::npos)
        << fit.summary().posterior;
    EXPECT_GT(fit.summary().seconds_posterior, 0);
    const ClassPrediction wide = fit.predict(data.rows, 0.95);
    for (std::size_t n = 0; n < p.label.size(); ++n) {
      EXPECT_LT(p.lower[n], p.upper[n]);
      EXPECT_LE(p.lower[n], p.probability[2 * n + 1]);
      EXPECT_LE(wide.lower[n], p.lower[n]);
      EXPECT_GE(wide.upper[n], p.upper[n]);
    }
  }
}

TEST(ClassifierInference, DrawsAreOfTheSeedAndNotOfTheThreads) {
  const ClassificationData data = bent_rows(300, 3, 3, 2);
  LinkgisticOptions options = few_steps(Inference::mcmc);
  options.threads = 1;
  const std::string one = LinkgisticClassifier(options).fit(data).to_json();
  options.threads = 2;
  EXPECT_EQ(LinkgisticClassifier(options).fit(data).to_json(), one);
}

TEST(ClassifierInference, TheKindsAgreeWhereRowsAreMany) {
  const ClassificationData data = bent_rows(6000, 3, 2, 3);
  std::vector<ClassPrediction> p;
  for (const Inference inference : kinds)
    p.push_back(LinkgisticClassifier(few_steps(inference)).fit(data).predict(data.rows));
  for (const std::size_t kind : {1U, 2U}) {
    double difference = 0, width = 0, other_width = 0;
    for (std::size_t n = 0; n < data.labels.size(); ++n) {
      difference += std::abs(p[kind].probability[2 * n + 1] - p[0].probability[2 * n + 1]) / 6000;
      width += (p[0].upper[n] - p[0].lower[n]) / 6000;
      other_width += (p[kind].upper[n] - p[kind].lower[n]) / 6000;
    }
    EXPECT_LT(difference, width / 4);
    EXPECT_NEAR(other_width / width, 1, 0.3);
  }
}

TEST(ClassifierInference, WhatHasNoMeaningIsRefusedInWords) {
  const auto refusal = [](const LinkgisticOptions& options) -> std::string {
    try {
      (void)LinkgisticClassifier(options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  LinkgisticOptions options = few_steps(Inference::variational);
  options.loss = "matsushita";
  EXPECT_NE(refusal(options).find("no bound is known"), std::string::npos) << refusal(options);
  options.inference = Inference::mcmc;
  EXPECT_EQ(refusal(options), "");
  options = few_steps(Inference::mcmc);
  options.prior = LinkPrior::none;
  EXPECT_NE(refusal(options).find("prior none"), std::string::npos) << refusal(options);
  options = few_steps(Inference::mcmc);
  options.draws = 99;
  EXPECT_NE(refusal(options).find("draws = 99"), std::string::npos) << refusal(options);
}

TEST(ClassifierInference, AStopKeepsTheLinksOfTheESteps) {
  const ClassificationData data = bent_rows(300, 3, 2, 4);
  LinkgisticOptions options = few_steps(Inference::mcmc);
  options.em_iterations = 0;
  bool linked = false;
  options.on_step = [&](const EmStep&) { linked = true; };
  options.stop = [&] { return linked; };
  const auto fit = LinkgisticClassifier(options).fit(data);
  ASSERT_FALSE(fit.summary().warnings.empty());
  EXPECT_NE(fit.summary().warnings.back().find("before the links were sampled"), std::string::npos);
  const ClassPrediction p = fit.predict(data.rows);
  for (std::size_t n = 0; n < p.label.size(); ++n) EXPECT_LT(p.lower[n], p.upper[n]);
}

// Quantiles of the draws at one margin, sorted here.
TEST(ClassLink, QuantilesOfSamplesAreThoseOfTheDraws) {
  RandomStream random(9);
  WeightedRows rows;
  for (int n = 0; n < 300; ++n) {
    rows.x.push_back(6 * random.uniform() - 3);
    rows.y.push_back(random.uniform() < sigmoid(rows.x.back()) ? 1 : 0);
    rows.weight.push_back(1);
  }
  LinkHyper hyper;
  hyper.harmonics = 6;
  const LinkFamily family(hyper);
  const ClassLink link =
      family.last_posterior(family.fit(rows, {-3, 3}, 0, {}), Inference::mcmc, sampling_options(200, 3, 1))
          .link;
  const double levels[] = {0.1, 0.5, 0.9};
  const std::vector<double> margins{-2.7, -0.31, 1.234, 4.0};
  const Matrix found = link.quantiles(margins, levels, 1);
  const Matrix draws = link.posterior().draw(400, 1);
  for (std::size_t i = 0; i < margins.size(); ++i) {
    std::vector<double> nu;
    const double t[] = {margins[i] / 3};
    for (Index s = 0; s < draws.cols(); ++s)
      nu.push_back(
          SourceCurve(link.source().features, link.source().map->value(draws.col(s))).values(t, 1)[0]);
    std::sort(nu.begin(), nu.end());
    for (const Index k : {0, 1, 2}) {
      const auto at = static_cast<std::size_t>(levels[k] * static_cast<double>(nu.size()));
      // Between its neighbours, and what straight lines between the nodes add.
      EXPECT_GT(found(static_cast<Index>(i), k), nu[at - 3] - 1e-3);
      EXPECT_LT(found(static_cast<Index>(i), k), nu[at + 3] + 1e-3);
    }
  }
}

}  // namespace
}  // namespace linkgistic

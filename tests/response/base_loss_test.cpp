// Classifiers with another base than the log loss.
#include "response/base_loss.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/bent_rows.hpp"

namespace linkgistic {
namespace {

constexpr const char* bases[] = {"log", "square", "matsushita", "spherical", "cost=0.2", "alpha=3"};

// Labels with P(1) = psi^-1 of a linear score of two columns, psi the link of a loss. The scores spread over
// the probabilities as logits of standard deviation 2 would.
ClassificationData rows_of(const char* name, std::size_t rows, std::uint64_t seed) {
  const auto loss = make_loss(name);
  const double spread =
      (loss->link(Probability::from_logit(2)) - loss->link(Probability::from_logit(-2))) / 2;
  RandomStream random(seed);
  ClassificationData data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    const double x = random.normal();
    const double z = random.normal();
    const double score = loss->link(Probability(0.5)) + spread * (0.8 * x - 0.6 * z);
    data.labels.push_back(random.uniform() < loss->inverse_link(score).one() ? 1 : 0);
    values.insert(values.end(), {x, z});
  }
  data.rows = FeatureRows::dense(values, rows, 2);
  data.class_names = {"no", "yes"};
  return data;
}

LinkgisticOptions with_base(const char* name, LinkPrior prior) {
  LinkgisticOptions options;
  options.prior = prior;
  options.loss = name;
  options.l2 = 1e-3;
  options.v = 0.1;
  options.harmonics = 8;
  options.em_iterations = 3;
  options.cross_fit = false;
  return options;
}

TEST(BaseLoss, TabulatesTheLossOfEachLabel) {
  for (const char* name : bases) {
    SCOPED_TRACE(name);
    const BaseLoss base(name);
    const auto loss = make_loss(name);
    for (double t = -12; t <= 12; t += 0.0371) {
      const double nu = loss->link(Probability::from_logit(t));
      if (std::abs(nu) > 127) continue;
      for (const int label : {0, 1}) {
        const Derivatives3 l = loss->log_likelihood(label, nu);
        EXPECT_NEAR(base.table().at(label, nu).value, -l.value, 2e-7 * (1 - l.value)) << t;
        EXPECT_NEAR(base.table().at(label, nu).slope, -l.first, 1e-4 * (1 + std::abs(l.first))) << t;
        EXPECT_NEAR(base.log_loss(label == 1, nu), -l.value, 1e-12 * (1 - l.value));
      }
      EXPECT_NEAR(base.log_odds(nu), t, 1e-9 * (1 + std::abs(t)));
    }
  }
}

TEST(BaseLoss, WithoutALearnedLinkItIsTheGeneralisedLinearModelOfThatLink) {
  for (const char* name : bases) {
    SCOPED_TRACE(name);
    const ClassificationData data = rows_of(name, 800, 3);
    LinkgisticOptions options = with_base(name, LinkPrior::none);
    options.standardize = Standardize::off;
    options.l2 = 0.5;
    const auto model = LinkgisticClassifier(options).fit(data);
    const std::vector<double> at = model.coefficients();
    const auto loss = make_loss(name);
    // Its objective is stationary: differences of what the definition says.
    const auto objective = [&](const std::vector<double>& c) {
      double sum = 0.25 * (c[1] * c[1] + c[2] * c[2]);
      for (std::size_t n = 0; n < data.labels.size(); ++n) {
        const double m = c[0] + c[1] * feature(data, n, 0) + c[2] * feature(data, n, 1);
        sum -= loss->inverse_link(m).log_of(data.labels[n]);
      }
      return sum;
    };
    for (std::size_t j = 0; j < 3; ++j) {
      std::vector<double> up = at, down = at;
      const double h = 1e-4 * (1 + std::abs(at[j]));
      up[j] += h;
      down[j] -= h;
      const double first = (objective(up) - objective(down)) / (2 * h);
      const double second = (objective(up) - 2 * objective(at) + objective(down)) / (h * h);
      EXPECT_GT(second, 0);
      // Newton's step from here is small beside the standard error.
      EXPECT_LT(std::abs(first / second), 0.02 / std::sqrt(second)) << j;
    }
  }
}

TEST(BaseLoss, ThatMadeTheDataNeedsTheLeastCorrection) {
  for (const char* truth : {"log", "square", "matsushita", "cost=0.2"}) {
    SCOPED_TRACE(truth);
    const ClassificationData data = rows_of(truth, 8000, 4);
    double most = -1e300;
    double own = 0;
    double least = 1e300;
    std::string by_departure;
    for (const char* base : bases) {
      const auto model = LinkgisticClassifier(with_base(base, LinkPrior::offset)).fit(data);
      // The evidence of links that shrink to the identity.
      const double evidence = model.summary().classes[0].log_evidence;
      most = std::max(most, evidence);
      if (std::string(base) == truth) own = evidence;
      // And how far nu is from the straight line through it, as a share of its spread.
      const std::vector<double> m = model.scores(data.rows);
      const auto curve = model.link(0, m);
      double mm = 0, mn = 0, nn = 0, mean_m = 0, mean_n = 0;
      for (std::size_t n = 0; n < m.size(); ++n) {
        mean_m += m[n] / static_cast<double>(m.size());
        mean_n += curve.nu[n] / static_cast<double>(m.size());
      }
      for (std::size_t n = 0; n < m.size(); ++n) {
        mm += (m[n] - mean_m) * (m[n] - mean_m);
        mn += (m[n] - mean_m) * (curve.nu[n] - mean_n);
        nn += (curve.nu[n] - mean_n) * (curve.nu[n] - mean_n);
      }
      const double departure = 1 - mn * mn / (mm * nn);
      if (departure < least) least = departure, by_departure = base;
    }
    // Where two links are nearly the same, so are their evidences.
    EXPECT_GT(own, most - 1);
    EXPECT_EQ(by_departure, truth);
  }
}

TEST(BaseLoss, ALearnedLinkMakesUpForTheWrongOne) {
  const ClassificationData train = rows_of("cost=0.2", 6000, 5);
  const ClassificationData test = rows_of("cost=0.2", 20000, 6);
  const double right =
      log_loss(LinkgisticClassifier(with_base("cost=0.2", LinkPrior::none)).fit(train), test);
  for (const char* base : {"log", "matsushita", "cost=0.8"}) {
    SCOPED_TRACE(base);
    const double wrong = log_loss(LinkgisticClassifier(with_base(base, LinkPrior::none)).fit(train), test);
    for (const LinkPrior prior : {LinkPrior::isgp, LinkPrior::offset, LinkPrior::gp}) {
      const double learned = log_loss(LinkgisticClassifier(with_base(base, prior)).fit(train), test);
      EXPECT_LT(learned - right, 0.3 * (wrong - right));
    }
  }
}

TEST(BaseLoss, PredictsThroughItsLinkBeforeAndAfterTheFile) {
  for (const char* base : bases) {
    for (const LinkPrior prior : {LinkPrior::none, LinkPrior::offset}) {
      SCOPED_TRACE(base);
      const ClassificationData data = rows_of("log", 500, 7);
      const auto model = LinkgisticClassifier(with_base(base, prior)).fit(data);
      const ClassPrediction p = model.predict(data.rows, 0.9, BandKind::link);
      const std::vector<double> log_odds = model.decision_values(data.rows);
      const auto curve = model.link(0, model.scores(data.rows));
      const auto loss = make_loss(base);
      for (std::size_t n = 0; n < 500; n += 7) {
        EXPECT_NEAR(p.probability[2 * n + 1], loss->inverse_link(curve.nu[n]).one(), 1e-12);
        EXPECT_NEAR(p.lower[n], loss->inverse_link(curve.lower[n]).one(), 1e-12);
        EXPECT_NEAR(p.upper[n], loss->inverse_link(curve.upper[n]).one(), 1e-12);
        EXPECT_NEAR(log_odds[n], std::log(p.probability[2 * n + 1] / p.probability[2 * n]), 1e-9);
      }
      const auto again = FittedLinkgisticClassifier::from_json(model.to_json(), "m.json");
      EXPECT_EQ(again.predict(data.rows).probability, p.probability);
      EXPECT_EQ(again.options().loss, base);
      EXPECT_EQ(again.to_json(), model.to_json());
    }
  }
}

TEST(BaseLoss, OfAFileThatNamesNoneIsTheLogLoss) {
  const auto model = LinkgisticClassifier(with_base("log", LinkPrior::none)).fit(rows_of("log", 200, 8));
  std::string text = model.to_json();
  const std::string line = "  \"loss\": \"log\",\n";
  ASSERT_NE(text.find(line), std::string::npos);
  text.erase(text.find(line), line.size());
  EXPECT_EQ(FittedLinkgisticClassifier::from_json(text, "m").to_json(), model.to_json());
}

TEST(BaseLoss, ThatCanBeNoneIsRefused) {
  for (const char* name : {"square,tail=0", "spherical,tail=0", "hinge", "cost=2"}) {
    LinkgisticOptions options;
    options.loss = name;
    EXPECT_THROW(LinkgisticClassifier{options}, UsageError) << name;
  }
}

}  // namespace
}  // namespace linkgistic

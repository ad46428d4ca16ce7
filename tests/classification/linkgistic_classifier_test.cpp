#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "metrics/classification_metrics.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// `classes` Gaussian clouds in `columns` dimensions.
ClassificationData clouds(std::size_t rows, std::size_t columns, std::size_t classes, std::uint64_t seed) {
  RandomStream random(seed);
  ClassificationData data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t k = n % classes;
    data.labels.push_back(static_cast<std::int32_t>(k));
    for (std::size_t j = 0; j < columns; ++j) {
      values.push_back(100 + 3 * random.normal() + (j % classes == k ? 4.0 : 0.0));
    }
  }
  data.rows = FeatureRows::dense(values, rows, columns);
  for (std::size_t k = 0; k < classes; ++k) data.class_names.push_back("cloud " + std::to_string(k));
  return data;
}

LinkgisticOptions fixed(LinkPrior prior = LinkPrior::offset) {
  LinkgisticOptions options;
  options.prior = prior;
  options.l2 = 1;
  options.v = 0.05;
  return options;
}

double auc_of(const FittedLinkgisticClassifier& model, const ClassificationData& data) {
  const std::vector<double> nu = model.decision_values(data.rows);
  const std::vector<std::uint8_t> y(data.labels.begin(), data.labels.end());
  return binary_metrics(nu, y).auc;
}

template <class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(LinkgisticClassifier, KeepsTheOrderOfLogisticRegressionBeforeTheFirstMStep) {
  const ClassificationData data = clouds(1500, 4, 2, 1);
  const double logistic = auc_of(LinkgisticClassifier(fixed(LinkPrior::none)).fit(data), data);
  for (const LinkPrior prior : {LinkPrior::isgp, LinkPrior::offset}) {
    LinkgisticOptions options = fixed(prior);
    options.em_iterations = 0;
    const auto linked = LinkgisticClassifier(options).fit(data);
    EXPECT_EQ(auc_of(linked, data), logistic);
    EXPECT_NE(linked.decision_values(data.rows), linked.scores(data.rows));
  }
}

TEST(LinkgisticClassifier, LearnsFromHeldOutScoresHowFarToTrustAnOverfittedOne) {
  // One column tells something, 29 nothing.
  const auto noisy = [](std::size_t rows, std::uint64_t seed) {
    RandomStream random(seed);
    ClassificationData data;
    std::vector<double> values;
    for (std::size_t i = 0; i < rows * 30; ++i) values.push_back(random.normal());
    for (std::size_t n = 0; n < rows; ++n)
      data.labels.push_back(random.uniform() < sigmoid(1.5 * values[30 * n]) ? 1 : 0);
    data.rows = FeatureRows::dense(values, rows, 30);
    data.class_names = {"a", "b"};
    return data;
  };
  const ClassificationData train = noisy(200, 21);
  const ClassificationData test = noisy(5000, 22);
  const std::vector<std::uint8_t> y(test.labels.begin(), test.labels.end());
  const auto loss = [&](const LinkgisticOptions& options) {
    return binary_metrics(LinkgisticClassifier(options).fit(train).decision_values(test.rows), y).log_loss;
  };
  LinkgisticOptions options = fixed(LinkPrior::none);
  options.l2 = 0.01;
  const double logistic = loss(options);
  options.prior = LinkPrior::offset;
  options.cross_fit = false;
  const double in_sample = loss(options);
  options.cross_fit = true;
  const double cross_fitted = loss(options);
  EXPECT_LT(cross_fitted, 0.97 * logistic);
  EXPECT_LT(cross_fitted, 0.97 * in_sample);
}

TEST(LinkgisticClassifier, ChoosesTheFreedomOfTheLinkByWhatTheDataSay) {
  RandomStream random(23);
  ClassificationData straight, bent;
  std::vector<double> values;
  for (int n = 0; n < 3000; ++n) {
    const double x = 2 * random.normal();
    const double u = random.uniform();
    values.push_back(x);
    straight.labels.push_back(u < sigmoid(x) ? 1 : 0);
    bent.labels.push_back(u < sigmoid(x < 0 ? 3 * x : 0.2 * x) ? 1 : 0);
  }
  straight.class_names = bent.class_names = {"a", "b"};
  straight.rows = bent.rows = FeatureRows::dense(values, 3000, 1);
  const auto fit_straight = LinkgisticClassifier(LinkgisticOptions{}).fit(straight);
  const auto fit_bent = LinkgisticClassifier(LinkgisticOptions{}).fit(bent);
  EXPECT_EQ(fit_straight.summary().v, 0);
  EXPECT_GE(fit_bent.summary().v, 0.2);
  EXPECT_EQ(fit_bent.summary().v_tried.size(), 5U);
}

TEST(LinkgisticClassifier, GivesProbabilitiesOfManyClassesThatSumToOne) {
  const ClassificationData data = clouds(900, 6, 3, 2);
  const auto model = LinkgisticClassifier(fixed()).fit(data);
  const ClassPrediction p = model.predict(data.rows);
  ASSERT_EQ(p.probability.size(), 2700U);
  double right = 0;
  for (std::size_t n = 0; n < 900; ++n) {
    EXPECT_NEAR(p.probability[3 * n] + p.probability[3 * n + 1] + p.probability[3 * n + 2], 1, 1e-12);
    right += p.label[n] == static_cast<std::size_t>(data.labels[n]) ? 1 : 0;
  }
  EXPECT_GT(right / 900, 0.8);
  EXPECT_EQ(model.summary().classes.size(), 3U);
}

TEST(LinkgisticClassifier, BandsHoldTheProbabilityAndWidenWithTheInterval) {
  const ClassificationData data = clouds(600, 4, 2, 3);
  const auto model = LinkgisticClassifier(fixed()).fit(data);
  const ClassPrediction wide = model.predict(data.rows, 0.99);
  const ClassPrediction narrow = model.predict(data.rows, 0.5);
  for (std::size_t n = 0; n < 600; ++n) {
    const double p = wide.probability[2 * n + 1];
    EXPECT_LT(wide.lower[n], narrow.lower[n]);
    EXPECT_LT(narrow.lower[n], p);
    EXPECT_LT(p, narrow.upper[n]);
    EXPECT_LT(narrow.upper[n], wide.upper[n]);
  }
}

TEST(LinkgisticClassifier, IsTheSameFileForOneAndTwoThreads) {
  const ClassificationData data = clouds(2000, 5, 3, 4);
  LinkgisticOptions options;
  options.samples = 4;
  options.threads = 1;
  const std::string one = LinkgisticClassifier(options).fit(data).to_json();
  options.threads = 2;
  EXPECT_EQ(LinkgisticClassifier(options).fit(data).to_json(), one);
}

TEST(LinkgisticClassifier, PredictsTheSameAfterSavingAndLoading) {
  const ClassificationData data = clouds(600, 5, 2, 5);
  for (const LinkPrior prior : {LinkPrior::none, LinkPrior::isgp, LinkPrior::offset, LinkPrior::gp}) {
    const auto model = LinkgisticClassifier(fixed(prior)).fit(data);
    const std::string path = testing::TempDir() + "linkgistic_classifier.json";
    model.save(path);
    const auto loaded = FittedLinkgisticClassifier::load(path);
    std::remove(path.c_str());
    EXPECT_EQ(loaded.predict(data.rows).probability, model.predict(data.rows).probability);
    EXPECT_EQ(loaded.predict(data.rows).upper, model.predict(data.rows).upper);
    EXPECT_EQ(loaded.to_json(), model.to_json());
  }
}

TEST(LinkgisticClassifier, RefusesADamagedModel) {
  const std::string text = LinkgisticClassifier(fixed()).fit(clouds(200, 3, 2, 6)).to_json();
  std::string wrong = text;
  wrong.replace(wrong.find("\"upper\""), 7, "\"uppre\"");
  EXPECT_NE(message_of([&] { FittedLinkgisticClassifier::from_json(wrong, "m.json"); }).find("m.json"),
            std::string::npos);
  EXPECT_THROW(FittedLinkgisticClassifier::from_json(text.substr(0, text.size() / 2), "m.json"), InputError);
}

TEST(LinkgisticClassifier, TakesAWeightAsRepetition) {
  const ClassificationData once = clouds(300, 3, 2, 7);
  ClassificationData weighted = once;
  ClassificationData repeated = once;
  std::vector<float> values;
  repeated.labels.clear();
  RandomStream random(8);
  std::vector<float> plain;
  for (std::size_t n = 0; n < 300; ++n) {
    const std::size_t times = n % 4;  // some rows not at all
    std::vector<float> row;
    for (int j = 0; j < 3; ++j) row.push_back(static_cast<float>(random.normal() + once.labels[n]));
    plain.insert(plain.end(), row.begin(), row.end());
    weighted.weights.push_back(static_cast<double>(times));
    for (std::size_t i = 0; i < times; ++i) {
      values.insert(values.end(), row.begin(), row.end());
      repeated.labels.push_back(once.labels[n]);
    }
  }
  weighted.rows = FeatureRows::dense(plain, 300, 3);
  repeated.rows = FeatureRows::dense(values, repeated.labels.size(), 3);
  LinkgisticOptions options = fixed();
  options.cross_fit = false;  // a row that is there twice would be held out once
  const auto a = LinkgisticClassifier(options).fit(weighted).decision_values(weighted.rows);
  const auto b = LinkgisticClassifier(options).fit(repeated).decision_values(weighted.rows);
  for (std::size_t n = 0; n < a.size(); ++n) EXPECT_NEAR(a[n], b[n], 0.01);
}

TEST(LinkgisticClassifier, PredictsTheSameWithoutBandsAndFromScores) {
  for (const int classes : {2, 3}) {
    // More than a block of rows, some of them beyond the scores of the training data.
    const ClassificationData data = clouds(400, 3, classes, 31);
    const ClassificationData other = clouds(5000, 3, classes, 32);
    const auto model = LinkgisticClassifier(fixed()).fit(data);
    const ClassPrediction full = model.predict(other.rows);
    const std::vector<double> scores = model.scores(other.rows);
    const std::vector<double> log_odds = model.decision_values(other.rows);
    EXPECT_EQ(model.probability(other.rows), full.probability);
    EXPECT_EQ(model.probability_at(scores), full.probability);
    EXPECT_EQ(model.decision_at(scores), log_odds);
    const std::size_t n_scores = classes == 2 ? 1 : 3;
    for (std::size_t k = 0; k < n_scores; ++k) {
      std::vector<double> at;
      for (std::size_t i = k; i < scores.size(); i += n_scores) at.push_back(scores[i]);
      const std::vector<double> nu = model.link(k, at).nu;
      for (std::size_t n = 0; n < at.size(); ++n)
        EXPECT_NEAR(log_odds[n * n_scores + k], nu[n], 1e-12 * (1 + std::abs(nu[n])));
    }
  }
  const ClassificationData three = clouds(400, 3, 3, 33);
  const std::vector<double> four(4);
  EXPECT_THROW(static_cast<void>(LinkgisticClassifier(fixed()).fit(three).probability_at(four)), InputError);
}

TEST(LinkgisticClassifier, DoesNotDependOnTheUnitsOfDenseFeatures) {
  const ClassificationData data = clouds(500, 3, 2, 9);
  const auto model = LinkgisticClassifier(fixed()).fit(data);
  std::vector<double> values, moved;
  for (std::size_t n = 0; n < 500; ++n) {
    for (std::size_t j = 0; j < 3; ++j) values.push_back(static_cast<double>(n * (j + 2) % 17));
  }
  for (const double x : values) moved.push_back(1e6 + 1e-3 * x);
  ClassificationData a = data, b = data;
  a.rows = FeatureRows::dense(values, 500, 3);
  b.rows = FeatureRows::dense(moved, 500, 3);
  const auto pa = LinkgisticClassifier(fixed()).fit(a).decision_values(a.rows);
  const auto pb = LinkgisticClassifier(fixed()).fit(b).decision_values(b.rows);
  for (std::size_t n = 0; n < 500; ++n) EXPECT_NEAR(pa[n], pb[n], 1e-3);
}

TEST(LinkgisticClassifier, CoefficientsInTheirOwnUnitsGiveTheScores) {
  const ClassificationData data = clouds(300, 2, 2, 10);
  std::vector<double> values{101.5, 97.25, 99.0, 103.0};
  const FeatureRows rows = FeatureRows::dense(values, 2, 2);
  const auto model = LinkgisticClassifier(fixed()).fit(data);
  const std::vector<double> c = model.coefficients();
  const std::vector<double> s = model.scores(rows);
  for (std::size_t n = 0; n < 2; ++n)
    EXPECT_NEAR(s[n], c[0] + c[1] * values[2 * n] + c[2] * values[2 * n + 1], 1e-4);
}

TEST(LinkgisticClassifier, IsSoundOnSeparableClasses) {
  ClassificationData data;
  std::vector<double> values;
  for (int n = 0; n < 200; ++n) {
    values.push_back(n < 100 ? -1.0 - n % 10 : 1.0 + n % 10);
    data.labels.push_back(n < 100 ? 0 : 1);
  }
  data.rows = FeatureRows::dense(values, 200, 1);
  data.class_names = {"no", "yes"};
  for (const LinkPrior prior : {LinkPrior::isgp, LinkPrior::offset, LinkPrior::gp}) {
    for (const double l2 : {1.0, 0.0}) {
      LinkgisticOptions options = fixed(prior);
      options.l2 = l2;
      const auto p = LinkgisticClassifier(options).fit(data).predict(data.rows);
      for (std::size_t n = 0; n < 200; ++n) {
        EXPECT_TRUE(std::isfinite(p.probability[2 * n]));
        EXPECT_EQ(p.label[n], n < 100 ? 0U : 1U) << l2;
      }
    }
  }
}

TEST(LinkgisticClassifier, IgnoresConstantColumnsAndBearsDuplicateOnes) {
  RandomStream random(11);
  std::vector<double> plain, with;
  ClassificationData data;
  data.class_names = {"a", "b"};
  for (int n = 0; n < 400; ++n) {
    const double x = random.normal();
    data.labels.push_back(random.uniform() < sigmoid(2 * x) ? 1 : 0);
    plain.push_back(x);
    with.insert(with.end(), {x, 7.0});
  }
  ClassificationData constant = data;
  data.rows = FeatureRows::dense(plain, 400, 1);
  constant.rows = FeatureRows::dense(with, 400, 2);
  const auto a = LinkgisticClassifier(fixed()).fit(data).decision_values(data.rows);
  const auto b = LinkgisticClassifier(fixed()).fit(constant).decision_values(constant.rows);
  for (std::size_t n = 0; n < a.size(); ++n) EXPECT_NEAR(a[n], b[n], 1e-3);

  std::vector<double> nothing(400, 3.0), twice;
  for (const double x : plain) twice.insert(twice.end(), {x, x});
  constant.rows = FeatureRows::dense(nothing, 400, 1);
  const auto flat = LinkgisticClassifier(fixed()).fit(constant).predict(constant.rows);
  const double share = std::count(data.labels.begin(), data.labels.end(), 1) / 400.0;
  EXPECT_NEAR(flat.probability[1], share, 1e-3);
  constant.rows = FeatureRows::dense(twice, 400, 2);
  EXPECT_TRUE(std::isfinite(LinkgisticClassifier(fixed()).fit(constant).decision_values(constant.rows)[0]));
}

TEST(LinkgisticClassifier, SaysWhatIsWrongWithTheData) {
  ClassificationData data = clouds(20, 2, 2, 12);
  ClassificationData one = data;
  std::fill(one.labels.begin(), one.labels.end(), 1);
  EXPECT_EQ(message_of([&] { (void)LinkgisticClassifier(fixed()).fit(one); }),
            "every row is of class 'cloud 1': there must be at least two classes");
  ClassificationData absent = data;
  absent.class_names.push_back("nobody");
  EXPECT_EQ(message_of([&] { (void)LinkgisticClassifier(fixed()).fit(absent); }),
            "class 'nobody' has no rows");
  ClassificationData few = data;
  few.labels.pop_back();
  EXPECT_EQ(message_of([&] { (void)LinkgisticClassifier(fixed()).fit(few); }), "19 labels for 20 rows");
  ClassificationData weights = data;
  weights.weights.assign(20, 1.0);
  weights.weights[4] = -1;
  EXPECT_NE(message_of([&] { (void)LinkgisticClassifier(fixed()).fit(weights); }).find("row 5"),
            std::string::npos);
  LinkgisticOptions bad;
  bad.l2 = -1;
  EXPECT_THROW(LinkgisticClassifier{bad}, UsageError);
}

TEST(LinkgisticClassifier, TakesMoreColumnsThanRows) {
  const ClassificationData data = clouds(30, 80, 2, 13);
  const auto model = LinkgisticClassifier(LinkgisticOptions{}).fit(data);
  for (const double nu : model.decision_values(data.rows)) EXPECT_TRUE(std::isfinite(nu));
  EXPECT_TRUE(model.summary().l2_chosen);
  EXPECT_FALSE(model.summary().l2_tried.empty());
}

TEST(LinkgisticClassifier, BalancedClassesHaveBalancedPredictions) {
  ClassificationData data = clouds(2000, 2, 2, 14);
  for (std::size_t n = 0; n < 2000; ++n) data.labels[n] = data.labels[n] == 1 && n % 20 == 1 ? 1 : 0;
  const auto mean = [&](const LinkgisticOptions& options) {
    const auto p = LinkgisticClassifier(options).fit(data).predict(data.rows);
    double sum = 0;
    for (std::size_t n = 0; n < 2000; ++n) sum += p.probability[2 * n + 1];
    return sum / 2000;
  };
  LinkgisticOptions balanced = fixed();
  balanced.balanced = true;
  EXPECT_NEAR(mean(fixed()), 0.05, 0.01);
  EXPECT_GT(mean(balanced), 0.3);
}

TEST(LinkgisticClassifier, FitsRowsWithLabelsOfAnyIntegerType) {
  ClassificationData data = clouds(120, 2, 3, 9);
  const auto expected = LinkgisticClassifier(fixed()).fit(data).coefficients();
  std::vector<std::int64_t> labels;
  for (const std::int32_t k : data.labels) labels.push_back((std::int64_t{k} - 1) << 40);
  const ClassificationData same = labelled_rows(data.rows, labels);
  EXPECT_EQ(same.class_names, (std::vector<std::string>{"-1099511627776", "0", "1099511627776"}));
  EXPECT_EQ(LinkgisticClassifier(fixed()).fit(same).coefficients(), expected);
}

TEST(LinkgisticClassifier, FitsAndPredictsInSeveralThreadsAtOnce) {
  const ClassificationData data = clouds(300, 3, 2, 10);
  const LinkgisticClassifier classifier(fixed());
  const auto fit = classifier.fit(data);
  std::vector<std::vector<double>> fitted(4), predicted(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      fitted[i] = classifier.fit(data).coefficients();
      predicted[i] = fit.predict(data.rows).upper;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(fitted[i], fit.coefficients());
    EXPECT_EQ(predicted[i], fit.predict(data.rows).upper);
  }
}

}  // namespace
}  // namespace linkgistic

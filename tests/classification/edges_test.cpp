// The classifier where data are hard: few, separable, constant, huge, tiny, without weight.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "classification/bent_rows.hpp"
#include "metrics/classification_metrics.hpp"
#include "numeric/logistic.hpp"

namespace linkgistic {
namespace {

constexpr LinkPrior priors[] = {LinkPrior::none, LinkPrior::isgp, LinkPrior::offset, LinkPrior::gp};

void expect_sound(const FittedLinkgisticClassifier& model, const ClassificationData& data) {
  const ClassPrediction p = model.predict(data.rows);
  for (const double x : p.probability) EXPECT_TRUE(x > 0 && x < 1) << x;
  for (std::size_t n = 0; n < p.lower.size(); ++n) EXPECT_LE(p.lower[n], p.upper[n]);
  EXPECT_EQ(FittedLinkgisticClassifier::from_json(model.to_json(), "m").to_json(), model.to_json());
}

TEST(ClassifierEdges, SeparableClassesOfAnyRidge) {
  ClassificationData data;
  std::vector<double> values;
  RandomStream random(1);
  for (int n = 0; n < 150; ++n) {
    const int label = n % 3;
    values.insert(values.end(), {10.0 * label + random.normal(), -5.0 * label + random.normal()});
    data.labels.push_back(label);
  }
  data.rows = FeatureRows::dense(values, 150, 2);
  data.class_names = {"a", "b", "c"};
  for (const LinkPrior prior : priors) {
    for (const std::optional<double> l2 : {std::optional<double>(), std::optional(0.0), std::optional(1.0)}) {
      LinkgisticOptions options;
      options.prior = prior;
      options.l2 = l2;
      options.v = 0.05;
      options.em_iterations = 2;
      const auto model = LinkgisticClassifier(options).fit(data);
      expect_sound(model, data);
      // The middle class is no half-plane's; the others must be right, under a link that keeps the order.
      const ClassPrediction p = model.predict(data.rows);
      for (std::size_t n = 0; n < 150 && prior != LinkPrior::gp; ++n)
        EXPECT_TRUE(n % 3 == 1 || p.label[n] == n % 3);
      EXPECT_TRUE(l2 != 0.0 || !model.summary().warnings.empty());
    }
  }
}

// Three classes, and a fourth with `extra` rows.
ClassificationData with_small_class(int extra) {
  ClassificationData data;
  std::vector<double> values;
  RandomStream random(6);
  for (int n = 0; n < 300 + extra; ++n) {
    const int label = n < 300 ? n % 3 : 3;
    values.insert(values.end(), {1.5 * label + random.normal(), random.normal() - 0.5 * label});
    data.labels.push_back(label);
  }
  data.rows = FeatureRows::dense(values, 300 + static_cast<std::size_t>(extra), 2);
  data.class_names = {"a", "b", "c"};
  if (extra > 0) data.class_names.emplace_back("rare");
  return data;
}

TEST(ClassifierEdges, AClassWithOneRowLeavesTheOthersAsTheyAre) {
  const ClassificationData without = with_small_class(0);
  for (const Multiclass multiclass : {Multiclass::ovr, Multiclass::softmax}) {
    LinkgisticOptions options;
    options.multiclass = multiclass;
    const auto loss = [&](const ClassificationData& data, const auto& model) {
      double sum = 0;
      const ClassPrediction p = model.predict(data.rows);
      for (std::size_t n = 0; n < 300; ++n)
        sum -=
            std::log(p.probability[n * data.class_names.size() + static_cast<std::size_t>(data.labels[n])]);
      return sum / 300;
    };
    const auto plain = LinkgisticClassifier(options).fit(without);
    EXPECT_TRUE(plain.summary().warnings.empty());
    for (const int rows : {1, 3}) {
      const ClassificationData data = with_small_class(rows);
      const auto model = LinkgisticClassifier(options).fit(data);
      expect_sound(model, data);
      for (const EmStep& step : model.summary().trace) EXPECT_GT(step.objective, -1000) << rows;
      EXPECT_LT(loss(data, model), 1.03 * loss(without, plain)) << rows;
      ASSERT_EQ(model.summary().warnings.size(), 1U);
      EXPECT_NE(model.summary().warnings[0].find("class 'rare' has " + std::to_string(rows) + " row"),
                std::string::npos);
    }
  }
}

TEST(ClassifierEdges, APartThatHoldsAWholeClassOutLearnsFromIt) {
  ClassificationData data = with_small_class(1);
  for (std::size_t p = 0; p < 3; ++p) {
    RowPart part;
    for (std::size_t n = p; n < data.labels.size(); n += 3) part.held_out.push_back(n);
    data.parts.push_back(part);
  }
  const auto model = LinkgisticClassifier(LinkgisticOptions{}).fit(data);
  for (const EmStep& step : model.summary().trace) EXPECT_GT(step.objective, -1000);
}

TEST(ClassifierEdges, TooFewRowsToChooseByAreSaidToBe) {
  ClassificationData data;
  data.rows = FeatureRows::dense(std::vector<double>{0, 1}, 2, 1);
  data.labels = {0, 1};
  data.class_names = {"a", "b"};
  const auto model = LinkgisticClassifier(LinkgisticOptions{}).fit(data);
  expect_sound(model, data);
  EXPECT_EQ(model.summary().l2, 1);
  ASSERT_EQ(model.summary().warnings.size(), 1U);
  EXPECT_NE(model.summary().warnings[0].find("too few rows"), std::string::npos);
}

// More columns than rows, so that a plane separates any labels; the first column tells something of them.
ClassificationData wide(std::size_t rows, std::uint64_t seed) {
  ClassificationData data;
  std::vector<double> values;
  RandomStream random(seed);
  for (std::size_t n = 0; n < rows; ++n) {
    const double signal = random.normal();
    data.labels.push_back(random.uniform() < sigmoid(2 * signal) ? 1 : 0);
    values.push_back(signal);
    for (int j = 1; j < 120; ++j) values.push_back(random.normal());
  }
  data.rows = FeatureRows::dense(values, rows, 120);
  data.class_names = {"no", "yes"};
  return data;
}

TEST(ClassifierEdges, WithoutARidgeLinksOfSeparatedRowsBearNewOnes) {
  const ClassificationData train = wide(100, 3), test = wide(2000, 4);
  const std::vector<std::uint8_t> truth(test.labels.begin(), test.labels.end());
  std::map<LinkPrior, double> loss;
  for (const LinkPrior prior : priors) {
    LinkgisticOptions options;
    options.prior = prior;
    options.l2 = 0;
    options.v = 0.05;
    const auto model = LinkgisticClassifier(options).fit(train);
    ASSERT_FALSE(model.summary().warnings.empty());
    EXPECT_NE(model.summary().warnings.back().find("a plane separates the rows"), std::string::npos);
    for (const double p : model.probability(test.rows)) EXPECT_TRUE(p > 0 && p < 1);
    loss[prior] = binary_metrics(model.decision_values(test.rows), truth).log_loss;
  }
  // Scores that were never wrong on their own rows are far too sure of new ones; a link of held-out rows is
  // not.
  EXPECT_GT(loss[LinkPrior::none], 1);
  EXPECT_LT(loss[LinkPrior::none], 10);
  for (const LinkPrior prior : {LinkPrior::isgp, LinkPrior::offset, LinkPrior::gp})
    EXPECT_LT(loss[prior], 0.8) << static_cast<int>(prior);
  EXPECT_NE(loss[LinkPrior::isgp], loss[LinkPrior::offset]);
  EXPECT_NE(loss[LinkPrior::isgp], loss[LinkPrior::gp]);
}

TEST(ClassifierEdges, NoProbabilityIsCertain) {
  ClassificationData data = wide(100, 5);
  LinkgisticOptions options;
  options.prior = LinkPrior::none;
  options.l2 = 1;
  const auto model = LinkgisticClassifier(options).fit(data);
  const std::vector<double> scores{-2000, -50, 50, 2000};
  for (const double p : model.probability_at(scores)) EXPECT_TRUE(p > 0 && p < 1) << p;
}

TEST(ClassifierEdges, AHandfulOfRows) {
  for (const LinkPrior prior : priors) {
    for (const std::size_t rows : {2U, 3U, 5U, 9U}) {
      SCOPED_TRACE(rows);
      ClassificationData data;
      std::vector<double> values;
      for (std::size_t n = 0; n < rows; ++n) {
        values.push_back(static_cast<double>((n * 7) % 5));
        data.labels.push_back(n % 2 == 0 ? 0 : 1);
      }
      data.rows = FeatureRows::dense(values, rows, 1);
      data.class_names = {"a", "b"};
      LinkgisticOptions options;
      options.prior = prior;
      expect_sound(LinkgisticClassifier(options).fit(data), data);
    }
  }
}

TEST(ClassifierEdges, AClassOfOneRowSpoilsNoChoice) {
  ClassificationData data = bent_rows(400, 3, 2, 8);
  const double without = LinkgisticClassifier(LinkgisticOptions{}).fit(data).summary().l2;
  data.labels[17] = 2;
  data.class_names.emplace_back("rare");
  const auto model = LinkgisticClassifier(LinkgisticOptions{}).fit(data);
  expect_sound(model, data);
  EXPECT_LE(std::abs(std::log10(model.summary().l2 / without)), 1.01);
  EXPECT_LT(log_loss(model, data), constant_log_loss(data));
}

TEST(ClassifierEdges, HugeAndTinyValues) {
  const ClassificationData plain = bent_rows(400, 2, 2, 2);
  const auto scaled = [&](double first, double second) {
    std::vector<double> values;
    for (std::size_t n = 0; n < 400; ++n) {
      values.push_back(first * feature(plain, n, 0));
      values.push_back(second * feature(plain, n, 1));
    }
    ClassificationData data = plain;
    data.rows = FeatureRows::dense(values, 400, 2);
    return data;
  };
  const auto loss = [](const ClassificationData& data) {
    return log_loss(LinkgisticClassifier(LinkgisticOptions{}).fit(data), data);
  };
  const double unit = loss(scaled(1, 1));
  EXPECT_NEAR(loss(scaled(1e15, 1e-15)), unit, 1e-4);
  EXPECT_NEAR(loss(scaled(1e-15, 1e15)), unit, 1e-4);
  // Not standardised, the ridge tells: sound all the same.
  LinkgisticOptions off;
  off.standardize = Standardize::off;
  for (const double size : {1e8, 1e-8}) {
    const ClassificationData data = scaled(size, 1);
    expect_sound(LinkgisticClassifier(off).fit(data), data);
  }
}

TEST(ClassifierEdges, RowsWithoutWeightAreNotThere) {
  const ClassificationData data = bent_rows(500, 3, 2, 3);
  std::vector<double> kept, all;
  ClassificationData without = data, with = data;
  without.labels.clear();
  for (std::size_t n = 0; n < 500; ++n) {
    const bool counts = n % 5 != 0;
    with.weights.push_back(counts ? 1 : 0);
    if (!counts) with.labels[n] = 1 - with.labels[n];
    if (counts) without.labels.push_back(data.labels[n]);
    for (std::size_t j = 0; j < 3; ++j) {
      const double x = feature(data, n, j);
      all.push_back(counts ? x : 1e4);
      if (counts) kept.push_back(x);
    }
  }
  with.rows = FeatureRows::dense(all, 500, 3);
  without.rows = FeatureRows::dense(kept, 400, 3);
  for (const LinkPrior prior : priors) {
    LinkgisticOptions options;
    options.prior = prior;
    options.l2 = 1;
    options.v = 0.05;
    options.cross_fit = false;  // the parts are drawn from all rows
    const auto a = LinkgisticClassifier(options).fit(with);
    const auto b = LinkgisticClassifier(options).fit(without);
    EXPECT_EQ(a.summary().rows, 400U);
    const auto pa = a.predict(without.rows).probability;
    const auto pb = b.predict(without.rows).probability;
    for (std::size_t i = 0; i < pa.size(); ++i) EXPECT_NEAR(pa[i], pb[i], 2e-3);
    options.cross_fit = true;
    options.l2.reset();
    options.v.reset();
    EXPECT_NEAR(log_loss(LinkgisticClassifier(options).fit(with), without),
                log_loss(LinkgisticClassifier(options).fit(without), without), 0.02);
  }
}

TEST(ClassifierEdges, DuplicateColumnsShareTheirCoefficient) {
  const ClassificationData once = bent_rows(400, 1, 2, 4);
  std::vector<double> values;
  for (std::size_t n = 0; n < 400; ++n) values.insert(values.end(), 2, feature(once, n, 0));
  ClassificationData twice = once;
  twice.rows = FeatureRows::dense(values, 400, 2);
  LinkgisticOptions options;
  options.l2 = 0;
  options.v = 0.05;
  options.cross_fit = false;
  const auto a = LinkgisticClassifier(options).fit(once).predict(once.rows).probability;
  const auto model = LinkgisticClassifier(options).fit(twice);
  const auto b = model.predict(twice.rows).probability;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 2e-3);
  options.l2 = 1;
  const auto c = LinkgisticClassifier(options).fit(twice).coefficients();
  EXPECT_NEAR(c[1], c[2], 1e-3 * std::abs(c[1]));
}

TEST(ClassifierEdges, EveryStorageIsTheSameFileForOneAndTwoThreads) {
  RandomStream random(5);
  ClassificationData dense = bent_rows(400, 6, 3, 6), bytes = dense, sparse = dense;
  std::vector<std::uint8_t> byte_values;
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> column;
  std::vector<float> value;
  for (std::size_t n = 0; n < 400; ++n) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double x = feature(dense, n, j);
      byte_values.push_back(static_cast<std::uint8_t>(std::clamp(128 + 40 * x, 0.0, 255.0)));
      if (std::abs(x) < 0.7) continue;
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(static_cast<float>(x));
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
  }
  bytes.rows = FeatureRows::bytes(byte_values, 400, 6);
  sparse.rows = FeatureRows::sparse(400, 6, start, column, value);
  for (const ClassificationData* data : {&dense, &bytes, &sparse}) {
    for (const LinkPrior prior : {LinkPrior::offset, LinkPrior::isgp}) {
      LinkgisticOptions options;
      options.prior = prior;
      options.harmonics = 8;
      options.em_iterations = 3;
      options.threads = 1;
      const auto one = LinkgisticClassifier(options).fit(*data);
      expect_sound(one, *data);
      EXPECT_LT(log_loss(one, *data), 0.97 * constant_log_loss(*data));
      options.threads = 2;
      EXPECT_EQ(LinkgisticClassifier(options).fit(*data).to_json(), one.to_json());
    }
  }
}

TEST(ClassifierEdges, ProgressTellsPhasesStepsAndTime) {
  const ClassificationData data = bent_rows(300, 3, 2, 7);
  std::vector<FitProgress> told;
  LinkgisticOptions options;
  options.cross_fit = false;
  options.on_progress = [&](const FitProgress& p) { told.push_back(p); };
  const auto model = LinkgisticClassifier(options).fit(data);
  std::string phases;
  double last = 0;
  for (const FitProgress& p : told) {
    if (phases.empty() || phases.substr(phases.rfind('|') + 1) != p.phase) phases += "|" + p.phase;
    EXPECT_GE(p.seconds, last);
    last = p.seconds;
    EXPECT_TRUE(p.of == 0 || p.step <= p.of);
  }
  EXPECT_EQ(phases, "|l2|first fit|v|em");
  EXPECT_EQ(told.back().step, static_cast<int>(model.summary().trace.size()) - 1);
  EXPECT_EQ(told.back().objective, model.summary().trace.back().objective);
  EXPECT_EQ(told.front().step, 0);  // the begin of the choice
}

TEST(ClassifierEdges, ProgressTellsTheDrawsOfTheChains) {
  LinkgisticOptions options;
  options.inference = Inference::mcmc;
  options.l2 = 1;
  options.v = 0.05;
  options.harmonics = 4;
  options.draws = 100;
  std::vector<FitProgress> told;
  options.on_progress = [&](const FitProgress& p) {
    if (p.phase == "sampling") told.push_back(p);
  };
  static_cast<void>(LinkgisticClassifier(options).fit(bent_rows(300, 3, 3, 7)));
  ASSERT_GE(told.size(), 3 * 4 * 300 / 100);  // links, chains, draws with their warm-up
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].step, 100 * static_cast<int>(i));
    EXPECT_LE(told[i].step, told[i].of);
  }
}

}  // namespace
}  // namespace linkgistic

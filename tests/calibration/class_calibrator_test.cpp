// Calibration of many classes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/error.hpp>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct ClassData {
  std::vector<double> logit;  // (N, 3)
  std::vector<std::int32_t> label;
};

// Logits l; labels from the softmax of factor_c l_c.
ClassData draw(std::size_t n, const std::vector<double>& factor, std::uint64_t seed) {
  ClassData data;
  RandomStream random(seed);
  for (std::size_t i = 0; i < n; ++i) {
    double p[3], sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double l = 2 * random.normal();
      data.logit.push_back(l);
      sum += p[c] = std::exp(factor[c] * l);
    }
    double u = random.uniform() * sum;
    std::int32_t label = 0;
    while (label < 2 && u > p[label]) u -= p[label++];
    data.label.push_back(label);
  }
  return data;
}

std::vector<double> softmax(const std::vector<double>& logit) {
  std::vector<double> p(logit);
  for (std::size_t n = 0; n + 3 <= p.size(); n += 3) {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) sum += p[n + c] = std::exp(logit[n + c]);
    for (std::size_t c = 0; c < 3; ++c) p[n + c] /= sum;
  }
  return p;
}

double loss(const std::vector<double>& p, const std::vector<std::int32_t>& label) {
  double sum = 0;
  for (std::size_t n = 0; n < label.size(); ++n)
    sum -= std::log(p[3 * n + static_cast<std::size_t>(label[n])]);
  return sum / static_cast<double>(label.size());
}

const std::vector<std::string> names{"a", "b", "c"};

TEST(ClassCalibrator, NeitherTheOrderNorTheRepetitionOfRowsChangesAnything) {
  const ClassData data = draw(60, {0.3, 0.6, 1.2}, 11);
  std::vector<double> repeated, weight;
  std::vector<std::int32_t> labels;
  for (std::size_t n = 0; n < 60; ++n) weight.push_back(static_cast<double>(n % 4));
  for (std::size_t n = 60; n-- > 0;) {
    for (std::size_t k = 0; k < n % 4; ++k) {
      for (std::size_t c = 0; c < 3; ++c) repeated.push_back(data.logit[3 * n + c] * (1 + 1e-15));
      labels.push_back(data.label[n]);
    }
  }
  const auto weighted = ClassCalibrator().fit(data.logit, data.label, names, weight);
  const auto plain = ClassCalibrator().fit(repeated, labels, names);
  EXPECT_NEAR(weighted.summary().shared_loss, plain.summary().shared_loss, 1e-8);
  EXPECT_NEAR(weighted.summary().one_vs_rest_loss, plain.summary().one_vs_rest_loss, 1e-8);
  const auto a = weighted.predict(data.logit).probability, b = plain.predict(data.logit).probability;
  // Scalings sum rows in single precision.
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6);
}

TEST(ClassCalibrator, RowsSumToOneAndOverconfidentScoresImprove) {
  const ClassData train = draw(1500, {0.4, 0.4, 0.4}, 1), test = draw(4000, {0.4, 0.4, 0.4}, 2);
  for (const bool probabilities : {false, true}) {
    const auto given = [&](const ClassData& d) { return probabilities ? softmax(d.logit) : d.logit; };
    const auto fitted = ClassCalibrator().fit(given(train), train.label, names);
    const CalibratedClasses p = fitted.predict(given(test));
    for (std::size_t n = 0; n < test.label.size(); ++n) {
      EXPECT_NEAR(p.probability[3 * n] + p.probability[3 * n + 1] + p.probability[3 * n + 2], 1, 1e-12);
      const auto begin = p.probability.begin() + static_cast<std::ptrdiff_t>(3 * n);
      EXPECT_EQ(p.label[n], static_cast<std::size_t>(std::max_element(begin, begin + 3) - begin));
    }
    const double before = loss(fitted.uncalibrated(given(test)), test.label);
    const double after = loss(p.probability, test.label);
    EXPECT_LT(after, before - 0.1);
    // The truth is a softmax of the scaled logits.
    std::vector<double> scaled(test.logit);
    for (double& l : scaled) l *= 0.4;
    EXPECT_LT(after, loss(softmax(scaled), test.label) + 0.02);
  }
}

TEST(ClassCalibrator, CrossValidationChoosesOneMapForAllWhereClassesAreAlike) {
  const ClassData alike = draw(300, {0.5, 0.5, 0.5}, 3);
  const auto shared = ClassCalibrator().fit(alike.logit, alike.label, names);
  EXPECT_EQ(shared.summary().maps, ClassMaps::shared);
  EXPECT_EQ(shared.summary().calibrators.size(), 1U);
  EXPECT_LT(shared.summary().shared_loss, shared.summary().one_vs_rest_loss);
  const ClassData unlike = draw(4000, {1.5, 0.5, 0.05}, 4);
  const auto own = ClassCalibrator().fit(unlike.logit, unlike.label, names);
  EXPECT_EQ(own.summary().maps, ClassMaps::one_vs_rest);
  EXPECT_EQ(own.summary().calibrators.size(), 3U);
}

TEST(ClassCalibrator, ItsFileKeepsPredictionsBitForBit) {
  const ClassData data = draw(200, {0.5, 0.5, 0.5}, 5);
  for (const ClassMaps maps : {ClassMaps::one_vs_rest, ClassMaps::shared}) {
    const auto fitted = ClassCalibrator({.map = {}, .maps = maps}).fit(data.logit, data.label, names);
    const auto back = FittedClassCalibrator::from_json(fitted.to_json(), "memory");
    EXPECT_EQ(back.to_json(), fitted.to_json());
    EXPECT_EQ(back.predict(data.logit).probability, fitted.predict(data.logit).probability);
    EXPECT_EQ(back.class_names(), names);
  }
}

TEST(ClassCalibrator, BandsHoldTheProbabilityAndMostlyTheTruth) {
  for (const ClassMaps maps : {ClassMaps::one_vs_rest, ClassMaps::shared}) {
    double covered = 0, count = 0, width = 0;
    for (std::uint64_t seed = 10; seed < 18; ++seed) {
      const ClassData train = draw(300, {0.5, 0.5, 0.5}, seed), test = draw(100, {0.5, 0.5, 0.5}, seed + 50);
      const auto fitted = ClassCalibrator({.map = {}, .maps = maps}).fit(train.logit, train.label, names);
      const CalibratedClasses p = fitted.predict(test.logit, 0.9);
      EXPECT_EQ(p.probability, fitted.predict(test.logit).probability);
      std::vector<double> scaled(test.logit);
      for (double& l : scaled) l *= 0.5;
      const std::vector<double> truth = softmax(scaled);
      for (std::size_t i = 0; i < truth.size(); ++i) {
        EXPECT_LE(p.lower[i], p.probability[i]);
        EXPECT_GE(p.upper[i], p.probability[i]);
        covered += p.lower[i] <= truth[i] && truth[i] <= p.upper[i] ? 1 : 0;
        width += p.upper[i] - p.lower[i];
        count += 1;
      }
    }
    // Maps of one score cannot be the truth here: a class's log odds depend on how the others share the rest.
    EXPECT_GT(covered / count, 0.7);
    EXPECT_GT(width / count, 0.02);
    EXPECT_LT(width / count, 0.3);
  }
}

TEST(ClassCalibrator, BadRowsAreRefused) {
  const ClassCalibrator calibrator;
  EXPECT_THROW((void)calibrator.fit(std::vector<double>{1, 2}, std::vector<std::int32_t>{0}, names),
               InputError);
  EXPECT_THROW((void)calibrator.fit(std::vector<double>{1, 2, 3}, std::vector<std::int32_t>{3}, names),
               InputError);
  EXPECT_THROW((void)calibrator.fit(std::vector<double>{0, 0, 0}, std::vector<std::int32_t>{0}, names),
               InputError);
  EXPECT_THROW(ClassCalibrator({.map = {}, .folds = 1}), UsageError);
}

std::vector<std::string> three() { return {"a", "b", "c"}; }

TEST(ClassCalibrator, AStopInTheChoiceOfTheMapsLeavesOneForAll) {
  const ClassData data = draw(300, {1, 2, 0.5}, 11);
  int asked = 0;
  std::vector<FitProgress> told;
  ClassCalibratorOptions options;
  options.stop = [&] { return ++asked > 2; };
  options.on_progress = [&](const FitProgress& p) { told.push_back(p); };
  const auto fit = ClassCalibrator(options).fit(data.logit, data.label, three());
  EXPECT_EQ(asked, 3);  // a yes is for good
  EXPECT_TRUE(fit.summary().interrupted);
  EXPECT_EQ(fit.summary().maps, ClassMaps::shared);
  ASSERT_EQ(fit.summary().warnings.size(), 1U);
  EXPECT_NE(fit.summary().warnings[0].find("interrupted"), std::string::npos);
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[1].phase, "maps tried");
  EXPECT_EQ(told[1].step, 2);
  EXPECT_EQ(told[1].of, 35);
  EXPECT_EQ(told[2].phase, "maps");
  const auto again = FittedClassCalibrator::from_json(fit.to_json(), "test");
  EXPECT_TRUE(again.summary().interrupted);
  EXPECT_EQ(again.summary().warnings, fit.summary().warnings);
}

TEST(ClassCalibrator, AStopAfterAPartKeepsItsChoice) {
  const ClassData data = draw(600, {0.2, 3, 1}, 12);
  int asked = 0;
  ClassCalibratorOptions options;
  options.stop = [&] { return ++asked > 7; };  // a part has seven maps
  const auto fit = ClassCalibrator(options).fit(data.logit, data.label, three());
  EXPECT_TRUE(fit.summary().interrupted);
  EXPECT_GT(fit.summary().one_vs_rest_loss, 0);
  EXPECT_EQ(fit.summary().maps, ClassMaps::one_vs_rest);
}

TEST(ClassCalibrator, AStopBeforeTheOnlyMapsIsAnInterruption) {
  const ClassData data = draw(100, {1, 1, 1}, 13);
  ClassCalibratorOptions options;
  options.maps = ClassMaps::one_vs_rest;
  options.method = ClassMethod::maps;
  options.stop = [] { return true; };
  EXPECT_THROW((void)ClassCalibrator(options).fit(data.logit, data.label, three()), Interrupted);
}

TEST(ClassCalibrator, SaysTheWordsOfItsWorstMap) {
  const ClassData data = draw(200, {1, 1, 1}, 14);
  ClassCalibratorOptions options;
  options.maps = ClassMaps::one_vs_rest;
  options.map.inference = Inference::laplace;
  const auto fit = ClassCalibrator(options).fit(data.logit, data.label, three());
  bool found = false;
  for (std::size_t c = 0; c < 3; ++c) {
    found = found || fit.posterior() == "worst for " + three()[c] + ": " + fit.map(c).posterior();
  }
  EXPECT_TRUE(found) << fit.posterior();
}

}  // namespace
}  // namespace linkgistic

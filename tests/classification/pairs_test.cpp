// One against one: the rows of pairs, the coupling of their probabilities, and the fit beside separate ones.
#include "classification/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// sum_i sum_{j != i} (r_ji p_i - r_ij p_j)^2, from the definition.
double disagreement(const std::vector<double>& log_odds, const std::vector<double>& p) {
  double sum = 0;
  const std::vector<ClassPair> pairs = class_pairs(p.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const double of_second = sigmoid(log_odds[k]), of_first = 1 - of_second;
    const double gap = of_second * p[pairs[k].first] - of_first * p[pairs[k].second];
    sum += 2 * gap * gap;
  }
  return sum;
}

TEST(CoupledPairs, HaveTheLeastDisagreement) {
  RandomStream random(1);
  for (const std::size_t classes : {2U, 3U, 4U, 7U}) {
    for (const double size : {0.5, 3.0, 8.0}) {
      std::vector<double> log_odds(pair_count(classes)), p(classes);
      for (double& t : log_odds) t = size * random.normal();
      couple_pairs(log_odds, p);
      double total = 0;
      for (const double one : p) {
        EXPECT_GT(one, 0);
        total += one;
      }
      EXPECT_NEAR(total, 1, 1e-14);
      const double least = disagreement(log_odds, p);
      // The sum is convex: if no step within the plane sum p = 1 lowers it, none does.
      for (int trial = 0; trial < 300; ++trial) {
        std::vector<double> step(classes), other = p;
        double mean = 0;
        for (double& s : step) mean += (s = random.normal()) / static_cast<double>(classes);
        for (std::size_t i = 0; i < classes; ++i)
          other[i] += (trial % 2 == 0 ? 1e-2 : 1e-4) * (step[i] - mean);
        EXPECT_GE(disagreement(log_odds, other), least - 1e-15);
      }
    }
  }
}

TEST(CoupledPairs, AreTheProbabilitiesThatThePairsAgreeOn) {
  const std::vector<double> truth{0.5, 0.02, 0.3, 0.18};
  std::vector<double> log_odds, p(truth.size());
  for (const ClassPair& pair : class_pairs(truth.size()))
    log_odds.push_back(std::log(truth[pair.second] / truth[pair.first]));
  couple_pairs(log_odds, p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], truth[i], 1e-12);
  const std::vector<double> sure{50, -40, -90};  // 1 before 0, 0 before 2, 1 before 2
  std::vector<double> three(3);
  couple_pairs(sure, three);
  EXPECT_GT(three[1], 0.999);
  EXPECT_GT(three[2], 0);
}

TEST(PairParts, AreThePartsCutToTheRowsOfPairs) {
  constexpr std::size_t rows = 200, parts = 3, classes = 4;
  RandomStream random(2);
  RowParts all(parts, rows);
  std::vector<std::int32_t> labels;
  for (std::size_t n = 0; n < rows; ++n) {
    labels.push_back(static_cast<std::int32_t>(random.below(classes)));
    for (std::size_t p = 0; p < parts; ++p) {
      const auto what = random.below(4);
      if (what < 2) all.set_train(n, p);
      if (what == 2) all.set_held_out(n, p);
    }
  }
  const RowParts cut = pair_parts(all, labels, classes);
  const std::vector<ClassPair> pairs = class_pairs(classes);
  ASSERT_EQ(pairs.size(), pair_count(classes));
  using Rows = Selection::Rows;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    for (const Selection s : {Selection{Rows::all, 0}, Selection{Rows::unheld, 0}, Selection{Rows::train, 1},
                              Selection{Rows::held_out, 2}}) {
      const Selection own = pair_selection(s, k, parts);
      for (std::size_t n = 0; n < rows; ++n) {
        const auto label = static_cast<std::size_t>(labels[n]);
        const bool in_pair = label == pairs[k].first || label == pairs[k].second;
        EXPECT_EQ(cut.takes(own, n), in_pair && all.takes(s, n));
      }
    }
  }
}

// Three classes at the corners of a triangle.
ClassificationData corners(std::size_t rows, std::uint64_t seed, std::size_t classes = 3) {
  RandomStream random(seed);
  ClassificationData data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    const auto k = random.below(classes);
    const double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(classes);
    values.insert(values.end(),
                  {1.2 * std::cos(angle) + random.normal(), 1.2 * std::sin(angle) + random.normal()});
    data.labels.push_back(static_cast<std::int32_t>(k));
  }
  data.rows = FeatureRows::dense(values, rows, 2);
  for (std::size_t k = 0; k < classes; ++k) data.class_names.emplace_back(1, static_cast<char>('a' + k));
  return data;
}

// The rows of two classes of `corners`.
ClassificationData of_pair(std::size_t rows, std::uint64_t seed, const ClassPair& pair) {
  const ClassificationData all = corners(rows, seed);
  RandomStream random(seed);
  ClassificationData data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    const auto k = random.below(3);
    const double angle = 2 * M_PI * static_cast<double>(k) / 3;
    const double x = 1.2 * std::cos(angle) + random.normal(), y = 1.2 * std::sin(angle) + random.normal();
    if (k != pair.first && k != pair.second) continue;
    values.insert(values.end(), {x, y});
    data.labels.push_back(k == pair.second ? 1 : 0);
  }
  data.rows = FeatureRows::dense(values, data.labels.size(), 2);
  data.class_names = {all.class_names[pair.first], all.class_names[pair.second]};
  return data;
}

LinkgisticOptions pair_options(LinkPrior prior) {
  LinkgisticOptions options;
  options.prior = prior;
  options.multiclass = Multiclass::ovo;
  options.standardize = Standardize::off;
  options.l2 = 2;
  options.v = 0.3;
  options.em_iterations = 3;
  return options;
}

TEST(OneAgainstOne, IsTheFitOfEachPairByItself) {
  constexpr std::size_t rows = 900;
  const ClassificationData data = corners(rows, 5);
  for (const LinkPrior prior : {LinkPrior::none, LinkPrior::offset}) {
    for (const bool cross_fit : {false, true}) {
      LinkgisticOptions options = pair_options(prior);
      options.cross_fit = cross_fit;
      options.em_iterations = 0;  // the step that EM keeps is the best for all pairs together
      const FittedLinkgisticClassifier model = LinkgisticClassifier(options).fit(data);
      ASSERT_TRUE(model.summary().pairwise);
      ASSERT_EQ(model.summary().classes.size(), 3U);
      EXPECT_EQ(model.summary().classes[1].name, "c against a");
      const std::vector<double> values = model.decision_values(data.rows);
      const std::vector<ClassPair> pairs = class_pairs(3);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto alone = LinkgisticClassifier(options).fit(of_pair(rows, 5, pairs[k]));
        const std::vector<double> own = alone.decision_values(data.rows);
        double largest = 0;
        for (std::size_t n = 0; n < rows; ++n)
          largest = std::max(largest, std::abs(sigmoid(values[3 * n + k]) - sigmoid(own[n])));
        // Held-out scores are of other parts of the rows.
        EXPECT_LT(largest, prior == LinkPrior::none ? 1e-3 : cross_fit ? 0.06 : 2e-3) << k;
      }
    }
  }
}

TEST(OneAgainstOne, CouplesItsPairsAndIsThatOfItsFile) {
  const ClassificationData data = corners(600, 6, 4);
  LinkgisticOptions options = pair_options(LinkPrior::offset);
  options.l2.reset();  // chosen, as v is
  options.v.reset();
  const FittedLinkgisticClassifier model = LinkgisticClassifier(options).fit(data);
  EXPECT_GT(model.summary().l2_tried.size(), 1U);
  EXPECT_TRUE(model.summary().l2_chosen);
  const std::vector<double> values = model.decision_values(data.rows), p = model.probability(data.rows);
  const ClassPrediction predicted = model.predict(data.rows);
  std::size_t right = 0;
  for (std::size_t n = 0; n < data.labels.size(); ++n) {
    std::vector<double> row(4);
    couple_pairs(std::span(values).subspan(6 * n, 6), row);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(p[4 * n + k], row[k], 1e-12);
    right += predicted.label[n] == static_cast<std::size_t>(data.labels[n]) ? 1 : 0;
  }
  LinkgisticOptions rest = options;
  rest.multiclass = Multiclass::ovr;
  const ClassPrediction other = LinkgisticClassifier(rest).fit(data).predict(data.rows);
  std::size_t right_rest = 0;
  for (std::size_t n = 0; n < data.labels.size(); ++n)
    right_rest += other.label[n] == static_cast<std::size_t>(data.labels[n]) ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(right), static_cast<double>(right_rest), 0.05 * 600);
  const auto again = FittedLinkgisticClassifier::from_json(model.to_json(), "memory");
  EXPECT_EQ(again.to_json(), model.to_json());
  EXPECT_EQ(again.probability(data.rows), p);
  EXPECT_NO_THROW((void)model.learned_loss(5));
}

// A pair of classes that are too small to be held out has no held-out row at all.
TEST(OneAgainstOne, TakesClassesOfOneAndTwoRows) {
  ClassificationData data = corners(400, 9, 4);
  std::size_t third = 0, fourth = 0;
  for (std::int32_t& label : data.labels) {
    if (label == 2 && ++third > 2) label = 0;
    if (label == 3 && ++fourth > 1) label = 1;
  }
  LinkgisticOptions options = pair_options(LinkPrior::offset);
  options.l2.reset();
  options.v.reset();
  const FittedLinkgisticClassifier model = LinkgisticClassifier(options).fit(data);
  const std::vector<double> p = model.probability(data.rows);
  for (const double one : p) EXPECT_TRUE(one > 0 && one < 1);
  for (const EmStep& step : model.summary().trace) EXPECT_TRUE(std::isfinite(step.objective));
}

TEST(OneAgainstOne, IsLogisticRegressionOfTwoClassesAndRefusesVeryMany) {
  const ClassificationData two = of_pair(300, 7, {0, 1});
  LinkgisticOptions options = pair_options(LinkPrior::offset);
  const FittedLinkgisticClassifier model = LinkgisticClassifier(options).fit(two);
  EXPECT_FALSE(model.summary().pairwise);
  options.multiclass = Multiclass::ovr;
  EXPECT_EQ(LinkgisticClassifier(options).fit(two).probability(two.rows), model.probability(two.rows));
  options.multiclass = Multiclass::ovo;
  EXPECT_THROW((void)LinkgisticClassifier(options).fit(corners(2000, 8, most_paired_classes + 1)),
               InputError);
}

}  // namespace
}  // namespace linkgistic

// The learned loss of a softmax: its derivatives, that it is proper, its link and its file.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "numeric/random.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

// Three classes of which the log odds are steep to the left and flat to the right.
ClassificationData three_bent_classes(std::size_t rows) {
  RandomStream random(3);
  ClassificationData data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    std::int32_t best = 0;
    double most = -1e9;
    for (std::int32_t k = 0; k < 3; ++k) {
      const double z = random.normal();
      values.push_back(z);
      const double noisy = (z < 0 ? 3 * z : 0.4 * z) - std::log(-std::log(random.uniform()));
      if (noisy > most) best = k;
      most = std::max(most, noisy);
    }
    data.labels.push_back(best);
  }
  data.rows = FeatureRows::dense(values, rows, 3);
  data.class_names = {"a", "b", "c"};
  return data;
}

FittedLinkgisticClassifier softmax_fit() {
  LinkgisticOptions options;
  options.multiclass = Multiclass::softmax;
  options.l2 = 1;
  options.v = 0.1;
  options.v_shared = 0.1;
  return LinkgisticClassifier(options).fit(three_bent_classes(1500));
}

double value_at(const LearnedClassLoss& loss, std::int32_t label, const std::vector<double>& scores) {
  double value = 0;
  loss.at(std::span(&label, 1), scores, std::span(&value, 1), {}, {});
  return value;
}

TEST(LearnedClassLoss, HasTheDerivativesThatDifferencesHave) {
  const LearnedClassLoss loss = softmax_fit().learned_class_loss();
  const double h = 1e-4;
  for (const auto& scores : {std::vector<double>{0.3, -0.7, 1.1}, {-1.5, 0.2, 0.1}, {9.0, -8.0, 7.0}}) {
    for (std::int32_t y = 0; y < 3; ++y) {
      double value = 0;
      std::vector<double> gradient(3), hessian(9);
      loss.at(std::span(&y, 1), scores, std::span(&value, 1), gradient, hessian);
      EXPECT_NEAR(value, -loss.log_probability(scores)[static_cast<std::size_t>(y)], 1e-12);
      for (std::size_t k = 0; k < 3; ++k) {
        std::vector<double> up = scores, down = scores, gradient_up(3), gradient_down(3);
        up[k] += h;
        down[k] -= h;
        EXPECT_NEAR(gradient[k], (value_at(loss, y, up) - value_at(loss, y, down)) / (2 * h), 1e-5);
        loss.at(std::span(&y, 1), up, {}, gradient_up, {});
        loss.at(std::span(&y, 1), down, {}, gradient_down, {});
        for (std::size_t l = 0; l < 3; ++l)
          EXPECT_NEAR(hessian[3 * l + k], (gradient_up[l] - gradient_down[l]) / (2 * h), 1e-4);
      }
    }
  }
}

// For every true distribution on a grid of the simplex, no score of another has a smaller expected loss, and
// its own has the entropy.
TEST(LearnedClassLoss, IsProper) {
  const LearnedClassLoss loss = softmax_fit().learned_class_loss();
  std::vector<std::vector<double>> simplex;
  for (int i = 1; i < 20; ++i)
    for (int j = 1; i + j < 20; ++j) simplex.push_back({i / 20.0, j / 20.0, (20 - i - j) / 20.0});
  std::vector<std::vector<double>> losses;  // of each label, where the scores are those of a grid point
  for (const auto& p : simplex) {
    const std::vector<double> scores = loss.link(p);
    const std::vector<double> back = loss.probability(scores);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(back[k], p[k], 1e-9);
    losses.push_back({value_at(loss, 0, scores), value_at(loss, 1, scores), value_at(loss, 2, scores)});
  }
  for (std::size_t i = 0; i < simplex.size(); ++i) {
    const auto expected = [&](std::size_t j) {
      return std::inner_product(simplex[i].begin(), simplex[i].end(), losses[j].begin(), 0.0);
    };
    const double own = expected(i);
    double entropy = 0;
    for (const double p : simplex[i]) entropy -= p * std::log(p);
    EXPECT_NEAR(own, entropy, 1e-9);
    for (std::size_t j = 0; j < simplex.size(); ++j) EXPECT_GE(expected(j), own - 1e-12);
  }
}

TEST(LearnedClassLoss, GivesTheProbabilitiesOfItsClassifier) {
  const FittedLinkgisticClassifier fit = softmax_fit();
  const std::vector<double> scores{0.3, -0.7, 1.1, 2.0, 0.0, -1.0};
  const std::vector<double> wanted = fit.probability_at(scores);
  const std::vector<double> found = fit.learned_class_loss().probability(scores);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-8);
}

TEST(LearnedClassLoss, OfDrawsIsThatOfAllLinksTogether) {
  const FittedLinkgisticClassifier fit = softmax_fit();
  const std::vector<double> scores{0.3, -0.7, 1.1};
  const ClassPrediction at = fit.predict_at(scores, 0.9);
  int inside = 0;
  constexpr int draws = 400;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const double p = fit.learned_class_loss(SourceEstimate::sample, seed).probability(scores)[0];
    inside += p > at.lower[0] && p < at.upper[0] ? 1 : 0;
  }
  // 90 % of the draws, within four standard errors.
  EXPECT_NEAR(inside, 0.9 * draws, 4 * std::sqrt(0.09 * draws));
}

TEST(LearnedClassLoss, WithoutLinksIsThatOfMultinomialRegression) {
  const LearnedClassLoss loss = LearnedClassLoss::canonical({"a", "b", "c"});
  EXPECT_NEAR(value_at(loss, 2, {1, 2, 0.5}), std::log(std::exp(1) + std::exp(2) + std::exp(0.5)) - 0.5,
              1e-12);
  EXPECT_THROW((void)LearnedClassLoss::canonical({"a"}), UsageError);
}

TEST(LearnedClassLoss, IsKeptInItsFile) {
  const TemporaryFolder folder;
  const LearnedClassLoss loss = softmax_fit().learned_class_loss();
  loss.save(folder.file("loss.json"));
  const LearnedClassLoss again = LearnedClassLoss::load(folder.file("loss.json"));
  EXPECT_EQ(again.to_json(), loss.to_json());
  EXPECT_EQ(again.class_names(), loss.class_names());
  EXPECT_THROW((void)LearnedClassLoss::from_json("{}", "x"), InputError);
}

TEST(LearnedClassLoss, RefusesWhatDoesNotFit) {
  const LearnedClassLoss loss = LearnedClassLoss::canonical({"a", "b", "c"});
  std::vector<double> value(1);
  const std::vector<std::int32_t> label{3};
  EXPECT_THROW(loss.at(label, std::vector<double>(3), value, {}, {}), InputError);
  EXPECT_THROW((void)loss.probability(std::vector<double>(4)), InputError);
  EXPECT_THROW((void)loss.link(std::vector<double>{0.0, 0.5, 0.5}), UsageError);
}

TEST(LearnedClassLoss, IsOfASoftmaxAlone) {
  LinkgisticOptions options;
  options.l2 = 1;
  options.v = 0.1;
  options.multiclass = Multiclass::ovr;
  const auto one_against_the_rest = LinkgisticClassifier(options).fit(three_bent_classes(300));
  EXPECT_THROW((void)one_against_the_rest.learned_class_loss(), UsageError);
  EXPECT_THROW((void)softmax_fit().learned_loss(), UsageError);
}

}  // namespace
}  // namespace linkgistic

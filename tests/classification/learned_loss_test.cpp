// The learned loss of a fitted classifier: its derivatives, its files, and the paper's statements about a
// posterior.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/learned_loss.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "loss/finite_difference.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

// Labels whose log odds rise fast left of 0 and slowly right of it.
ClassificationData asymmetric(std::size_t rows, std::uint64_t seed) {
  RandomStream random(seed);
  ClassificationData data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    const double a = random.normal(), b = random.normal();
    values.insert(values.end(), {a, b});
    const double score = a + 0.5 * b;
    data.labels.push_back(random.uniform() < sigmoid(score < 0 ? 3 * score : 0.5 * score) ? 1 : 0);
  }
  data.rows = FeatureRows::dense(values, rows, 2);
  data.class_names = {"no", "yes"};
  return data;
}

FittedLinkgisticClassifier fitted(LinkPrior prior, const std::string& loss = "log") {
  LinkgisticOptions options;
  options.prior = prior;
  options.loss = loss;
  options.l2 = 1;
  options.v = 0.3;
  options.em_iterations = 3;
  return LinkgisticClassifier(options).fit(asymmetric(1500, 3));
}

std::vector<double> scores_of(const LearnedLoss& loss) {
  std::vector<double> x;
  const double lower = loss.score_lower(), range = loss.score_upper() - lower;
  for (int i = -3; i <= 23; ++i) x.push_back(lower + range * (i + 0.123) / 20);
  return x;
}

class LearnedLossOf : public testing::TestWithParam<LinkPrior> {};

TEST_P(LearnedLossOf, AClassifierHasItsProbabilities) {
  const FittedLinkgisticClassifier model = fitted(GetParam());
  const LearnedLoss loss = model.learned_loss();
  const ClassificationData data = asymmetric(200, 4);
  const auto scores = model.scores(data.rows);
  const auto p = model.predict(data.rows).probability;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    EXPECT_NEAR(loss.inverse_link(scores[n]), p[2 * n + 1], 1e-6);
    for (const int y : {0, 1})
      EXPECT_NEAR(loss.at(y, scores[n]).value, -std::log(p[2 * n + static_cast<std::size_t>(y)]), 1e-5);
  }
}

TEST_P(LearnedLossOf, AnyEstimateHasTheDerivativesItSays) {
  const FittedLinkgisticClassifier model = fitted(GetParam());
  for (const SourceEstimate estimate : {SourceEstimate::mode, SourceEstimate::mean, SourceEstimate::sample}) {
    const LearnedLoss loss = model.learned_loss(0, estimate, 5);
    for (const double x : scores_of(loss)) {
      for (const int y : {0, 1}) {
        const LearnedLoss::Values v = loss.at(y, x);
        const double h = 1e-4;
        EXPECT_NEAR(v.gradient, finite_difference([&](double s) { return loss.at(y, s).value; }, x, h), 1e-6);
        EXPECT_NEAR(v.curvature, finite_difference([&](double s) { return loss.at(y, s).gradient; }, x, h),
                    1e-4);
      }
      const double slope = finite_difference([&](double s) { return loss.inverse_link(s); }, x, 1e-4);
      const double p = loss.inverse_link(x);
      EXPECT_NEAR(loss.information(x), slope * slope / (p * (1 - p)), 1e-5 * (1 + loss.information(x)));
    }
  }
}

TEST_P(LearnedLossOf, ItsFileGivesBackTheSameBits) {
  const TemporaryFolder folder;
  const LearnedLoss loss = fitted(GetParam()).learned_loss(0, SourceEstimate::mean);
  loss.save(folder.file("loss.json"));
  const LearnedLoss again = LearnedLoss::load(folder.file("loss.json"));
  EXPECT_EQ(again.to_json(), loss.to_json());
  EXPECT_EQ(again.lipschitz_bound(), loss.lipschitz_bound());
  for (const double x : scores_of(loss)) EXPECT_EQ(again.at(1, x).curvature, loss.at(1, x).curvature);
}

TEST_P(LearnedLossOf, ASavedModelIsThatOfTheModel) {
  const FittedLinkgisticClassifier model = fitted(GetParam());
  const auto again = FittedLinkgisticClassifier::from_json(model.to_json(), "memory");
  for (const SourceEstimate estimate : {SourceEstimate::mode, SourceEstimate::mean, SourceEstimate::sample})
    EXPECT_EQ(again.learned_loss(0, estimate, 7).to_json(), model.learned_loss(0, estimate, 7).to_json());
}

std::string prior_name(const testing::TestParamInfo<LinkPrior>& prior) {
  constexpr const char* names[] = {"none", "isgp", "offset", "gp"};
  return names[static_cast<int>(prior.param)];
}

INSTANTIATE_TEST_SUITE_P(Priors, LearnedLossOf,
                         testing::Values(LinkPrior::none, LinkPrior::isgp, LinkPrior::offset, LinkPrior::gp),
                         prior_name);

TEST(LearnedLoss, LinkUndoesItsInverse) {
  for (const char* base : {"log", "square", "matsushita", "cost=0.3"}) {
    const LearnedLoss loss = fitted(LinkPrior::offset, base).learned_loss();
    EXPECT_TRUE(loss.increasing());
    for (const double u : {0.02, 0.3, 0.5, 0.9})
      EXPECT_NEAR(loss.inverse_link(loss.link(u)), u, 1e-9) << base;
    EXPECT_THROW((void)loss.link(1.5), UsageError);
  }
}

TEST(LearnedLoss, IsSteepestBelowTheBoundOfTheLemma) {
  for (const LinkPrior prior : {LinkPrior::isgp, LinkPrior::offset}) {
    const FittedLinkgisticClassifier model = fitted(prior);
    for (const SourceEstimate estimate :
         {SourceEstimate::mode, SourceEstimate::mean, SourceEstimate::sample}) {
      const LearnedLoss loss = model.learned_loss(0, estimate, 9);
      const double range = loss.score_upper() - loss.score_lower();
      const double steepest = loss.lipschitz_on(loss.score_lower() - range, loss.score_upper() + range);
      EXPECT_GT(steepest, 0);
      EXPECT_LE(steepest, loss.lipschitz_bound());
    }
  }
  EXPECT_EQ(LearnedLoss::canonical("log").lipschitz_bound(), 1);
}

// By the definition: chi' = w/nu' on a grid much finer than that of the library.
double steepest_link(const LearnedLoss& loss) {
  double largest = 0;
  for (int i = 0; i <= 40000; ++i) {
    const double x = loss.score_lower() + (loss.score_upper() - loss.score_lower()) * i / 40000;
    largest = std::max(largest, loss.weight(loss.inverse_link(x)) / loss.source(x).first);
  }
  return largest;
}

TEST(LearnedLoss, BoundsTheMarginLossOfEveryDraw) {
  for (const char* base : {"log", "cost=0.3"}) {
    const FittedLinkgisticClassifier model = fitted(LinkPrior::offset, base);
    const double point = model.learned_loss().margin_lipschitz_bound();
    EXPECT_NEAR(point, steepest_link(model.learned_loss()), 1e-5 * point);
    std::vector<double> bounds;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const LearnedLoss drawn = model.learned_loss(0, SourceEstimate::sample, seed);
      const std::vector<double> one = model.margin_lipschitz(0, 1, seed);
      ASSERT_EQ(one.size(), 1U);
      EXPECT_EQ(one[0], drawn.margin_lipschitz_bound());
      EXPECT_NEAR(one[0], steepest_link(drawn), 1e-4 * one[0]);
      bounds.push_back(one[0]);
    }
    EXPECT_GT(*std::max_element(bounds.begin(), bounds.end()),
              1.01 * *std::min_element(bounds.begin(), bounds.end()));
    // Many draws at once beside draws one by one: their lower quantile, and how many are flat somewhere.
    std::vector<double> many = model.margin_lipschitz(0, 300, 1), single;
    for (std::uint64_t seed = 100; seed < 300; ++seed)
      single.push_back(model.learned_loss(0, SourceEstimate::sample, seed).margin_lipschitz_bound());
    std::sort(many.begin(), many.end());
    std::sort(single.begin(), single.end());
    EXPECT_LT(std::abs(std::log(many[30] / single[20])), 0.6);
    const auto flat = [](const std::vector<double>& all) {
      return static_cast<double>(
                 std::count_if(all.begin(), all.end(), [](double b) { return std::isinf(b); })) /
             static_cast<double>(all.size());
    };
    EXPECT_NEAR(flat(many), flat(single), 0.15);
  }
  const FittedLinkgisticClassifier straight = fitted(LinkPrior::none);
  const double p = straight.learned_loss().inverse_link(straight.learned_loss().score_lower());
  const double q = straight.learned_loss().inverse_link(straight.learned_loss().score_upper());
  EXPECT_NEAR(straight.margin_lipschitz(0, 3)[2], std::max(1 / (p * (1 - p)), 1 / (q * (1 - q))), 1e-6 / p);
  EXPECT_THROW((void)straight.margin_lipschitz(0, 0), UsageError);
}

TEST(Theorem, TheExpectedLossOverThePosteriorIsAtLeastThatOfTheMeanSource) {
  // The paper's posterior theorem with its inequality the right way round: the loss is convex in nu, so by
  // Jensen E l_nu >= l of E nu, and not the reverse.
  for (const LinkPrior prior : {LinkPrior::isgp, LinkPrior::offset}) {
    const FittedLinkgisticClassifier model = fitted(prior);
    const LearnedLoss mean = model.learned_loss(0, SourceEstimate::mean);
    constexpr int draws = 400;
    std::vector<LearnedLoss> samples;
    for (int s = 0; s < draws; ++s)
      samples.push_back(model.learned_loss(0, SourceEstimate::sample, static_cast<std::uint64_t>(s)));
    double largest_gap = 0;
    for (const double x : scores_of(mean)) {
      double nu = 0, square = 0;
      for (const LearnedLoss& sample : samples) {
        nu += sample.source(x).value / draws;
        square += sample.source(x).value * sample.source(x).value / draws;
      }
      const double error = std::sqrt(std::max(square - nu * nu, 0.0) / draws);
      EXPECT_NEAR(mean.source(x).value, nu, 5 * error + 1e-9);
      for (const int y : {0, 1}) {
        double expected = 0;
        for (const LearnedLoss& sample : samples) expected += sample.at(y, x).value / draws;
        // About the draws' own mean exactly, about the posterior's to the error of the draws.
        const double at_mean = softplus(nu) - y * nu;
        EXPECT_GE(expected, at_mean - 1e-12);
        EXPECT_GE(expected, mean.at(y, x).value - 5 * error);
        largest_gap = std::max(largest_gap, expected - at_mean);
      }
    }
    EXPECT_GT(largest_gap, 1e-4);
  }
}

TEST(LearnedLoss, OfTheIdentityIsTheCanonicalLoss) {
  const LearnedLoss loss = LearnedLoss::canonical("log");
  EXPECT_NEAR(loss.at(1, 3.5).value, std::log1p(std::exp(-3.5)), 1e-15);
  EXPECT_NEAR(loss.information(0.3), sigmoid(0.3) * sigmoid(-0.3), 1e-15);
  const std::vector<std::uint8_t> y{0, 1};
  const std::vector<double> x{0.5, -2.0};
  std::vector<double> value(2), gradient(2);
  loss.at(y, x, value, gradient, {});
  EXPECT_EQ(value[1], loss.at(1, -2).value);
  EXPECT_EQ(gradient[0], loss.at(0, 0.5).gradient);
  EXPECT_THROW(loss.at(y, std::span(x).first(1), {}, {}, {}), InputError);
}

TEST(LearnedLoss, RefusesADamagedFile) {
  const std::string text = LearnedLoss::canonical("log").to_json();
  EXPECT_THROW(LearnedLoss::from_json("{", "f"), InputError);
  std::string other = text;
  other.replace(other.find("\"half\": 1.0"), 11, "\"half\": 0.0");
  EXPECT_THROW(LearnedLoss::from_json(other, "f"), InputError);
  EXPECT_THROW(LearnedLoss::from_json(fitted(LinkPrior::none).to_json(), "f"), InputError);
  EXPECT_THROW(LearnedLoss::canonical("hinge"), UsageError);
  EXPECT_THROW((void)fitted(LinkPrior::none).learned_loss(1), UsageError);
}

}  // namespace
}  // namespace linkgistic

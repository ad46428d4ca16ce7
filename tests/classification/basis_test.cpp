// Links on the Nystrom basis and with a shifted origin, beside those on harmonics from the middle.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/bent_rows.hpp"
#include "classification/link_fit.hpp"
#include "numeric/logistic.hpp"

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
    const double score = 1.5 * a + 0.7 * b;
    data.labels.push_back(random.uniform() < sigmoid(score < 0 ? 3 * score : 0.5 * score) ? 1 : 0);
  }
  data.rows = FeatureRows::dense(values, rows, 2);
  data.class_names = {"no", "yes"};
  return data;
}

LinkgisticOptions options_of(LinkPrior prior, BasisKind basis, Origin origin) {
  LinkgisticOptions options;
  options.prior = prior;
  options.basis = basis;
  options.origin = origin;
  options.l2 = 1;
  options.v = 0.3;
  options.harmonics = 8;
  options.em_iterations = 4;
  options.cross_fit = false;
  return options;
}

struct Case {
  const char* name;
  LinkPrior prior;
  BasisKind basis;
  Origin origin;
};

std::string case_name(const testing::TestParamInfo<Case>& one) { return one.param.name; }

class LinkOn : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static LinkgisticOptions options() {
    return options_of(GetParam().prior, GetParam().basis, GetParam().origin);
  }
};

TEST_P(LinkOn, AnotherBasisFindsTheLinkOfTheHarmonics) {
  const ClassificationData train = asymmetric(3000, 1), test = asymmetric(3000, 2);
  const FittedLinkgisticClassifier model = LinkgisticClassifier(options()).fit(train);
  const FittedLinkgisticClassifier trig =
      LinkgisticClassifier(options_of(GetParam().prior, BasisKind::trig, Origin::intercept)).fit(train);
  const FittedLinkgisticClassifier straight =
      LinkgisticClassifier(options_of(LinkPrior::none, BasisKind::trig, Origin::intercept)).fit(train);
  const double gain = log_loss(straight, test) - log_loss(trig, test);
  ASSERT_GT(gain, 0.01);
  EXPECT_NEAR(log_loss(model, test), log_loss(trig, test), 0.15 * gain);
  const auto p = model.probability(test.rows), q = trig.probability(test.rows);
  double difference = 0;
  for (std::size_t i = 0; i < p.size(); ++i) difference += std::abs(p[i] - q[i]);
  EXPECT_LT(difference / static_cast<double>(p.size()), 0.02);
  EXPECT_NEAR(model.summary().classes[0].slope, 1, 1e-3);
}

TEST_P(LinkOn, AModelIsThatOfItsFileAndTheLossThatOfItsLink) {
  const ClassificationData data = asymmetric(800, 3);
  LinkgisticOptions some = options();
  some.em_iterations = 1;
  const FittedLinkgisticClassifier model = LinkgisticClassifier(some).fit(data);
  const auto again = FittedLinkgisticClassifier::from_json(model.to_json(), "memory");
  EXPECT_EQ(again.to_json(), model.to_json());
  EXPECT_EQ(again.probability(data.rows), model.probability(data.rows));
  const std::vector<double> scores = model.scores(data.rows), p = model.probability(data.rows);
  const LearnedLoss loss = again.learned_loss();
  EXPECT_EQ(loss.increasing(), GetParam().prior != LinkPrior::gp || loss.increasing());
  for (std::size_t n = 0; n < scores.size(); ++n)
    EXPECT_NEAR(loss.inverse_link(scores[n]), p[2 * n + 1], 1e-5);
  const double range = loss.score_upper() - loss.score_lower();
  for (const SourceEstimate estimate : {SourceEstimate::mode, SourceEstimate::mean, SourceEstimate::sample}) {
    const LearnedLoss other = model.learned_loss(0, estimate, 5);
    EXPECT_LE(other.lipschitz_on(other.score_lower() - range, other.score_upper() + range),
              other.lipschitz_bound() * (1 + 1e-6));
  }
}

TEST_P(LinkOn, TheSquaredSlopeIsThatOfDifferences) {
  LinkHyper hyper;
  hyper.kind = GetParam().prior == LinkPrior::gp     ? PriorKind::gp
               : GetParam().prior == LinkPrior::isgp ? PriorKind::isgp
                                                     : PriorKind::offset;
  hyper.basis = GetParam().basis;
  hyper.origin = GetParam().origin;
  hyper.harmonics = 5;
  const LinkFamily family(hyper);
  const ScoreRange range{-2, 5};
  const SourceModel source = family.source(family.theta(range));
  RandomStream random(8);
  LinkRows rows;
  rows.half = range.half();
  for (int i = 0; i < 60; ++i) {
    rows.t.push_back(2 * random.uniform() - 1);
    rows.share.push_back(random.uniform() / 60);
  }
  const Vector kappa = source.map->value(source.prior.draw(random));
  double expected = 0;
  for (std::size_t i = 0; i < rows.t.size(); ++i) {
    const double h = 1e-4, t = rows.t[i];
    const double slope =
        kappa.dot(source.features->at(t + h) - source.features->at(t - h)) / (2 * h) / range.half();
    expected += rows.share[i] * slope * slope;
  }
  EXPECT_NEAR(kappa.dot(square_slope(source, rows) * kappa), expected, 1e-5 * expected);
}

TEST_P(LinkOn, APriorLinkIsTheIdentityInTheMean) {
  if (GetParam().prior == LinkPrior::gp) GTEST_SKIP() << "its mean is constant";
  LinkHyper hyper;
  hyper.kind = GetParam().prior == LinkPrior::isgp ? PriorKind::isgp : PriorKind::offset;
  hyper.basis = GetParam().basis;
  hyper.origin = GetParam().origin;
  const LinkFamily family(hyper);
  const ScoreRange range{-2, 5};
  const SourceModel source = family.source(family.theta(range));
  RandomStream random(2);
  constexpr int draws = 4000;
  for (const double t : {-0.8, 0.0, 0.7}) {
    double sum = 0, squares = 0;
    for (int i = 0; i < draws; ++i) {
      const double nu = source.map->value(source.prior.draw(random)).dot(source.features->at(t));
      sum += nu;
      squares += nu * nu;
    }
    const double mean = sum / draws, error = std::sqrt((squares / draws - mean * mean) / draws);
    // The Nystrom kernel is a little less than its own between its points.
    EXPECT_NEAR(mean, range.middle() + t * range.half(), 4.5 * error + 0.01);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bases, LinkOn,
    testing::Values(Case{"nystrom", LinkPrior::offset, BasisKind::nystrom, Origin::intercept},
                    Case{"nystrom_isgp", LinkPrior::isgp, BasisKind::nystrom, Origin::intercept},
                    Case{"nystrom_gp", LinkPrior::gp, BasisKind::nystrom, Origin::intercept},
                    Case{"shifted", LinkPrior::offset, BasisKind::trig, Origin::shifted},
                    Case{"shifted_isgp", LinkPrior::isgp, BasisKind::trig, Origin::shifted},
                    Case{"nystrom_shifted", LinkPrior::offset, BasisKind::nystrom, Origin::shifted}),
    case_name);

TEST(LinkBasis, RefusesAnOriginOfTheGaussianProcessAndKeepsASoftmaxOnHarmonics) {
  EXPECT_THROW(LinkgisticClassifier(options_of(LinkPrior::gp, BasisKind::trig, Origin::shifted)), UsageError);
  ClassificationData data = asymmetric(300, 5);
  data.class_names.emplace_back("maybe");
  for (std::size_t n = 0; n < data.labels.size(); n += 3) data.labels[n] = 2;
  LinkgisticOptions options = options_of(LinkPrior::offset, BasisKind::nystrom, Origin::intercept);
  options.multiclass = Multiclass::softmax;
  options.em_iterations = 1;
  options.harmonics = 4;
  const FittedLinkgisticClassifier model = LinkgisticClassifier(options).fit(data);
  EXPECT_FALSE(model.summary().softmax);
  const auto& words = model.summary().warnings;
  EXPECT_TRUE(std::any_of(words.begin(), words.end(), [](const std::string& w) {
    return w.find("the basis nystrom") != std::string::npos;
  }));
}

TEST(LinkBasis, LearnsTheWidthOfTheKernelWhereAsked) {
  LinkgisticOptions options = options_of(LinkPrior::offset, BasisKind::nystrom, Origin::intercept);
  options.learn_hyper = true;
  options.harmonics = 4;
  options.em_iterations = 1;
  const ClassificationData train = asymmetric(1000, 6), test = asymmetric(1000, 7);
  options.inference = Inference::variational;
  const FittedLinkgisticClassifier model = LinkgisticClassifier(options).fit(train);
  options.learn_hyper = false;
  const FittedLinkgisticClassifier held = LinkgisticClassifier(options).fit(train);
  EXPECT_NE(model.to_json(), held.to_json());
  EXPECT_NEAR(log_loss(model, test), log_loss(held, test), 0.03);
}

}  // namespace
}  // namespace linkgistic

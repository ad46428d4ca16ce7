// Learned hyper-parameters of the links' prior, and samples of their posterior.
#include "classification/link_fit.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "classification/bent_rows.hpp"
#include "inference/laplace.hpp"
#include "response/bernoulli.hpp"
#include "response/pointwise_data.hpp"
#include "source/spectrum.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

// Margins in [-4, 4] with labels through a bend that is sharper than the fixed spectra like.
WeightedRows bent_margins(std::size_t rows, std::uint64_t seed) {
  RandomStream random(seed);
  WeightedRows all;
  for (std::size_t n = 0; n < rows; ++n) {
    all.x.push_back(8 * random.uniform() - 4);
    const double nu = all.x.back() < 0 ? 3 * all.x.back() : 0.1 * all.x.back();
    all.y.push_back(random.uniform() < sigmoid(nu) ? 1 : 0);
    all.weight.push_back(1);
  }
  return all;
}

// What a checkpoint does to a link: nothing. A fit that differs in anything has a question of its own.
TEST(RecalledLink, IsThatOfTheFitAndOfNoOther) {
  std::map<std::string, std::string, std::less<>> known;
  const Recall recall = [&](std::string_view question, const std::function<std::string()>& work) {
    const auto found = known.find(question);
    return found != known.end() ? found->second : known[std::string(question)] = work();
  };
  const WeightedRows rows = bent_margins(500, 4);
  std::size_t fits = 0;
  for (const Inference inference : {Inference::laplace, Inference::variational}) {
    LinkHyper hyper;
    hyper.harmonics = 4;
    hyper.inference = inference;
    const auto check = [&](const LinkHyper& own, const ScoreRange& range, double ridge,
                           const ClassLink& previous) {
      const LinkFamily family(own);
      const ClassLink plain = family.fit(rows, range, ridge, previous);
      for (int i = 0; i < 2; ++i) {
        const ClassLink link = family.fit(rows, range, ridge, previous, recall);
        EXPECT_EQ(link.kappa(), plain.kappa());
        EXPECT_EQ(link.theta(), plain.theta());
        EXPECT_EQ(link.facts().log_evidence, plain.facts().log_evidence);
        EXPECT_EQ(link.facts().slope, plain.facts().slope);
        EXPECT_EQ(link.facts().mean_nu, plain.facts().mean_nu);
        EXPECT_EQ(link.facts().mean_margin, plain.facts().mean_margin);
        EXPECT_EQ(link.posterior().draw(3, 1), plain.posterior().draw(3, 1));
        const double levels[] = {0.1, 0.9};
        EXPECT_EQ(link.quantiles(rows.x, levels, 1), plain.quantiles(rows.x, levels, 1));
      }
      EXPECT_EQ(known.size(), ++fits);
      return plain;
    };
    const ClassLink first = check(hyper, {-4, 4}, 0, {});
    check(hyper, {-4, 4.5}, 0, {});
    check(hyper, {-4, 4}, 1, {});
    check(hyper, {-4, 4}, 0, first);
    LinkHyper other = hyper;
    other.v = 0.3;
    check(other, {-4, 4}, 0, {});
    other.learn = true;
    check(other, {-4, 4}, 0, {});
    other.curvature_floor = 0.5;
    check(other, {-4, 4}, 0, {});
    other.hold_size = true;
    check(other, {-4, 4}, 0, {});
  }
}

TEST(HeldSize, LeavesTheSizeOfAGaussianProcessWhereItIs) {
  const WeightedRows rows = bent_margins(1000, 6);
  LinkHyper hyper;
  hyper.kind = PriorKind::gp;
  hyper.harmonics = 8;
  hyper.size = 40;
  const auto size_of = [&](const LinkHyper& own) {
    const LinkFamily family(own);
    const ScoreRange range{-4, 4};
    const auto named = family.hyper(family.fit(rows, range, 0, {}).theta(), range);
    return std::find_if(named.begin(), named.end(), [](const auto& h) { return h.first == "k(0,0)"; })
        ->second;
  };
  EXPECT_GT(std::abs(size_of(hyper) - 40), 1);
  hyper.hold_size = true;
  EXPECT_NEAR(size_of(hyper), 40, 1e-9);
}

TEST(CurvatureFloor, BoundsTheBandOfALink) {
  // Few rows: the whitened Hessian of an isgp link has eigenvalues below 1, which the floor raises.
  const WeightedRows rows = bent_margins(30, 7);
  LinkHyper hyper;
  hyper.kind = PriorKind::isgp;
  hyper.harmonics = 8;
  const auto deviation = [&](double floor) {
    hyper.curvature_floor = floor;
    const ClassLink link = LinkFamily(hyper).fit(rows, {-4, 4}, 0, {});
    EXPECT_LT(link.facts().smallest_eigenvalue, 0.9);
    double sum = 0;
    for (const double t : {-0.9, -0.5, 0.5, 0.9})
      sum += std::sqrt(link.posterior().variance(*link.source().map, link.source().features->at(t)));
    return sum;
  };
  const double guarded = deviation(1), bare = deviation(1e-12);
  EXPECT_GT(bare, 1.01 * guarded);
}

class LearnedHyper : public testing::TestWithParam<PriorKind> {};
INSTANTIATE_TEST_SUITE_P(Links, LearnedHyper,
                         testing::Values(PriorKind::isgp, PriorKind::offset, PriorKind::gp));

TEST_P(LearnedHyper, RaiseTheEvidence) {
  const WeightedRows rows = bent_margins(3000, 1);
  LinkHyper hyper;
  hyper.kind = GetParam();
  const ScoreRange range{-4, 4};
  const double fixed = LinkFamily(hyper).fit(rows, range, 0, {}).facts().log_evidence;
  hyper.learn = true;
  const ClassLink learned = LinkFamily(hyper).fit(rows, range, 0, {});
  EXPECT_GT(learned.facts().log_evidence, fixed + 0.5);
}

TEST_P(LearnedHyper, DoNotDependOnWhereTheSearchBegins) {
  const WeightedRows rows = bent_margins(2000, 2);
  LinkHyper hyper;
  hyper.kind = GetParam();
  hyper.learn = true;
  std::vector<double> evidence;
  for (const double start : {0.01, 0.05, 0.4}) {
    hyper.v = start;
    if (GetParam() == PriorKind::gp) hyper.size = 20 * start;
    evidence.push_back(LinkFamily(hyper).fit(rows, {-4, 4}, 0, {}).facts().log_evidence);
  }
  const auto [low, high] = std::minmax_element(evidence.begin(), evidence.end());
  EXPECT_LT(*high - *low, 0.05);
}

TEST_P(LearnedHyper, AreSafeWhereRowsAreFewOrSeparable) {
  for (const std::size_t n : {6U, 20U, 60U}) {
    SCOPED_TRACE(n);
    // Below the median 0, above it 1: separable, with one exception for the larger sets.
    WeightedRows rows;
    for (std::size_t i = 0; i < n; ++i) {
      rows.x.push_back(-2 + 4 * static_cast<double>(i) / static_cast<double>(n - 1));
      rows.y.push_back(i < n / 2 ? 0 : 1);
      rows.weight.push_back(1);
    }
    if (n == 60) std::swap(rows.y[10], rows.y[50]);
    LinkHyper hyper;
    hyper.kind = GetParam();
    hyper.learn = true;
    const LinkFamily family(hyper);
    const ClassLink link = family.fit(rows, {-2, 2}, 0, {});
    EXPECT_TRUE(std::isfinite(link.facts().log_evidence));
    // No label has more probability than 1: the plain Laplace evidence runs away above it.
    EXPECT_LT(link.facts().log_evidence, 0);
    const LinkValues at = link.at(rows.x, 1);
    const double levels[] = {0.5, 0.8413447460685429};  // the median, and a standard deviation above
    const Matrix band = link.quantiles(rows.x, levels, 1);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LT(std::abs(at.nu[i]), 40);
      const auto row = static_cast<Index>(i);
      EXPECT_LT(band(row, 1) - band(row, 0),
                200);  // separable labels have no upper end of the scale but its weak prior's
    }
  }
}

TEST(LearnedHyper, MakeTheWholeFitNoWorse) {
  const ClassificationData train = bent_rows(3000, 4, 2, 3);
  const ClassificationData test = bent_rows(20000, 4, 2, 4);
  for (const LinkPrior prior : {LinkPrior::isgp, LinkPrior::offset, LinkPrior::gp}) {
    LinkgisticOptions options;
    options.prior = prior;
    options.l2 = 1;
    options.v = 0.05;
    options.cross_fit = false;
    const auto fixed = LinkgisticClassifier(options).fit(train);
    options.learn_hyper = true;
    const auto learned = LinkgisticClassifier(options).fit(train);
    EXPECT_NE(learned.to_json(), fixed.to_json());
    EXPECT_LT(log_loss(learned, test), 1.003 * log_loss(fixed, test));
    options.threads = 1;
    EXPECT_EQ(LinkgisticClassifier(options).fit(train).to_json(), learned.to_json());
  }
}

// The root of the mean of (dnu/dm)^2, and the means of nu and m, over rows with weights w (p (1 - p) + 0.01),
// p by the link before: here the identity.
TEST(LinkFacts, AreMeansOverTheInformationOfTheRows) {
  WeightedRows rows = bent_margins(300, 3);
  for (std::size_t n = 0; n < rows.size(); ++n) rows.weight[n] = static_cast<double>(1 + n % 3);
  const ClassLink link = LinkFamily(LinkHyper{}).fit(rows, {-4, 4}, 0, {});
  double total = 0, square = 0, nu = 0, margin = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double m = rows.x[n], u = rows.weight[n] * (sigmoid(m) * sigmoid(-m) + 0.01);
    constexpr double step = 1e-4;
    const std::vector<double> around{m - step, m, m + step};
    const auto at = link.at(around, 1).nu;
    total += u;
    square += u * std::pow((at[2] - at[0]) / (2 * step), 2);
    nu += u * at[1];
    margin += u * m;
  }
  EXPECT_NEAR(link.facts().slope, std::sqrt(square / total), 1e-5);
  EXPECT_NEAR(link.facts().mean_nu, nu / total, 1e-8);
  EXPECT_NEAR(link.facts().mean_margin, margin / total, 1e-10);
}

TEST(LinkFamily, FitsUnderTheHyperParametersAskedFor) {
  LinkHyper hyper;
  hyper.harmonics = 6;
  hyper.a = 1.4;
  hyper.size = 1.7;
  hyper.v = 0.11;
  hyper.gamma = 0.03;
  const ScoreRange range{-3, 5};
  const LinkFamily family(hyper);
  const ClassLink link = family.fit(bent_margins(100, 4), range, 0, {});
  const auto named = family.hyper(link.theta(), range);
  const std::map<std::string, double> values(named.begin(), named.end());
  EXPECT_NEAR(values.at("a"), 1.4, 1e-12);
  EXPECT_NEAR(values.at("size"), 1.7, 1e-12);
  EXPECT_NEAR(values.at("v"), 0.11, 1e-12);
  EXPECT_NEAR(values.at("gamma"), 0.03, 1e-12);
}

// The size of a Gaussian process from few rows, where its weak prior counts: Laplace's evidence and that
// prior, evaluated here, have a maximum there.
TEST(LearnedHyper, SizeOfAGaussianProcessIsAtTheMaximumOfEvidenceAndPrior) {
  const WeightedRows rows = bent_margins(60, 7);
  LinkHyper hyper;
  hyper.kind = PriorKind::gp;
  hyper.harmonics = 4;
  const ClassLink link = LinkFamily(hyper).fit(rows, {-4, 4}, 0, {});
  const TrigSource family(PriorKind::gp, 4, 0.5);
  const auto& all = family.hyper_parameters();
  const auto b = std::find_if(all.begin(), all.end(), [](const HyperParameter& h) { return h.name == "b"; });
  std::vector<double> t;
  for (const double m : rows.x) t.push_back(m / 4);
  const auto objective = [&](double shift) {
    Vector theta = link.theta();
    theta[b - all.begin()] += shift;
    const SourceModel source = family.at(theta);
    const PointwiseData data(source.features, std::make_shared<BernoulliResponse>(), t, rows.y, {}, 1);
    const LogJoint joint(source, data, Vector());
    const double z = (theta[b - all.begin()] - b->prior_mean) / b->prior_sd;
    return laplace_evidence(joint, find_mode(joint, source.prior.mean), 1) - z * z / 2;
  };
  EXPECT_NEAR((objective(0.01) - objective(-0.01)) / 0.02, 0, 0.021);  // the search ends at a slope of 0.02
  EXPECT_GT(objective(0), objective(-0.5));
  EXPECT_GT(objective(0), objective(0.5));
}

// The band of a Gaussian process whose size is learned, against its integral over the size on a grid.
TEST(LearnedHyper, BandOfAGaussianProcessHasTheUncertaintyOfItsSize) {
  const WeightedRows rows = bent_margins(40, 9);
  LinkHyper hyper;
  hyper.kind = PriorKind::gp;
  hyper.harmonics = 4;
  const ClassLink link = LinkFamily(hyper).fit(rows, {-4, 4}, 0, {});
  const TrigSource family(PriorKind::gp, 4, 0.5);
  const Index b = hyper_layout(PriorKind::gp).amplitude;
  const HyperParameter& h = family.hyper_parameters()[static_cast<std::size_t>(b)];
  std::vector<double> t;
  for (const double m : rows.x) t.push_back(m / 4);
  const std::vector<double> margins{-3.5, -1, 0.5, 2, 3.5};
  // At one size: log evidence and prior, nu of the mode, and its variance there.
  struct AtSize {
    double objective;
    Vector nu, variance;
  };
  const auto at = [&](double size) {
    Vector theta = link.theta();
    theta[b] = size;
    const SourceModel source = family.at(theta);
    const PointwiseData data(source.features, std::make_shared<BernoulliResponse>(), t, rows.y, {}, 1);
    const LogJoint joint(source, data, Vector());
    const Mode mode = find_mode(joint, source.prior.mean);
    const double z = (size - h.prior_mean) / h.prior_sd;
    AtSize result{laplace_evidence(joint, mode, 1) - z * z / 2, Vector(5), Vector(5)};
    const Matrix covariance =
        joint.prior_sd().asDiagonal() * mode.whitened_hessian.inverse() * joint.prior_sd().asDiagonal();
    const Matrix jacobian = source.map->jacobian(mode.g)(Eigen::all, joint.free_coordinates());
    for (Index i = 0; i < 5; ++i) {
      const Vector phi = source.features->at(margins[static_cast<std::size_t>(i)] / 4);
      const Vector slope = jacobian.transpose() * phi;
      result.nu[i] = source.map->value(mode.g).dot(phi);
      result.variance[i] = slope.dot(covariance * slope);
    }
    return result;
  };
  const AtSize best = at(link.theta()[b]);
  Vector square = Vector::Zero(5);  // E[variance + (nu - nu of the best)^2]
  double total = 0;
  for (double size = link.theta()[b] - 6; size < link.theta()[b] + 6; size += 0.1) {
    const AtSize there = at(size);
    const double weight = std::exp(there.objective - best.objective);
    square += weight * (there.variance + (there.nu - best.nu).cwiseAbs2());
    total += weight;
  }
  const double levels[] = {0.5, 0.8413447460685429};  // the median, and a standard deviation above
  const Matrix band = link.quantiles(margins, levels, 1);
  for (Index i = 0; i < 5; ++i) {
    SCOPED_TRACE(margins[static_cast<std::size_t>(i)]);
    const double sd = band(i, 1) - band(i, 0);
    EXPECT_NEAR(sd / std::sqrt(square[i] / total), 1, 0.1);
  }
  // Wider than with the size held, where few rows hold the link.
  EXPECT_GT(band(0, 1) - band(0, 0), 1.2 * std::sqrt(best.variance[0]));
}

// A ridge that leaves little slope leaves the samples little too.
TEST(Samples, AreOfThePosteriorWithItsRidge) {
  const WeightedRows rows = bent_margins(200, 8);
  LinkHyper hyper;
  hyper.harmonics = 3;
  const LinkFamily family(hyper);
  const ClassLink link = family.fit(rows, {-4, 4}, 1000, {});
  const ClassLink sampled = family.last_posterior(link, Inference::mcmc, sampling_options(200, 1, 1)).link;
  const std::vector<double> ends{-3, 3};
  const auto rise = [&](const ClassLink& of) {
    const auto nu = of.at(ends, 1).nu;
    return nu[1] - nu[0];
  };
  const double free = rise(family.fit(rows, {-4, 4}, 0, {}));
  EXPECT_LT(rise(link), 0.5 * free);
  EXPECT_NEAR(rise(sampled), rise(link), 0.2 * free);
}

TEST(Samples, AreOfTheSeedAndNotOfTheThreads) {
  const ClassificationData data = bent_rows(600, 3, 3, 5);
  LinkgisticOptions options;
  options.l2 = 1;
  options.v = 0.2;
  options.samples = 6;
  options.threads = 1;
  const std::string one = LinkgisticClassifier(options).fit(data).to_json();
  options.threads = 2;
  EXPECT_EQ(LinkgisticClassifier(options).fit(data).to_json(), one);
  options.cross_fit = false;
  const auto first = LinkgisticClassifier(options).fit(data).decision_values(data.rows);
  options.seed = 1;
  EXPECT_NE(LinkgisticClassifier(options).fit(data).decision_values(data.rows), first);
}

TEST(Samples, HaveTheMeanOfTheLossOverThePosterior) {
  const WeightedRows rows = bent_margins(400, 6);
  const ClassLink link = LinkFamily(LinkHyper{}).fit(rows, {-4, 4}, 0, {});
  const BaseLoss& base = *BaseLoss::log();
  const LossTable few = link.loss_table(base, 40, 7);
  // Draws anew, and their mean by the definition.
  const Matrix draws = link.posterior().draw(4000, 99);
  for (const double m : {-3.0, -0.7, 0.4, 3.5}) {
    const double t = m / 4;
    double sum = 0, square = 0;
    for (Index s = 0; s < draws.cols(); ++s) {
      const double nu = link.source().features->at(t).dot(link.source().map->value(draws.col(s)));
      sum += softplus(-nu);
      square += softplus(-nu) * softplus(-nu);
    }
    const double mean = sum / 4000;
    const double sd = std::sqrt(square / 4000 - mean * mean);
    EXPECT_NEAR(few.at(1, m).value, mean, 5 * sd / std::sqrt(40.0) + 1e-6) << m;
    EXPECT_GT(sd, 0);
  }
}

}  // namespace
}  // namespace linkgistic

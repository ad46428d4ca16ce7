// The links of a softmax: against the definition of their objective, row by row, and what they are for.
#include "classification/softmax_links.hpp"

#include <Eigen/LU>
#include <cmath>

#include <gtest/gtest.h>

#include "classification/em.hpp"
#include "engine/local_engine.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// Three classes whose log odds are bent functions of linear scores.
struct Rows {
  RowMatrix rows;
  std::vector<std::int32_t> labels;
  std::vector<std::vector<double>> nu;  // true ones
  std::shared_ptr<RowEngine> engine;
};

double bent(double x) { return x < 0 ? 2.2 * x : 0.4 * x; }

Rows bent_classes(std::size_t n, std::uint64_t seed) {
  RandomStream random(seed);
  Rows data;
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    double z[4];
    for (double& v : z) values.push_back(v = random.normal());
    std::vector<double> nu{bent(z[0] + z[1]), bent(z[2] - z[0]), bent(z[3] + 0.5 * z[1] - z[2])};
    double sum = 0;
    for (const double v : nu) sum += std::exp(v);
    double u = random.uniform() * sum;
    std::int32_t label = 0;
    while (label < 2 && u > std::exp(nu[static_cast<std::size_t>(label)]))
      u -= std::exp(nu[static_cast<std::size_t>(label++)]);
    data.labels.push_back(label);
    data.nu.push_back(nu);
  }
  data.rows = float_rows(values, n, 4);
  data.engine = make_local_engine({data.rows, data.labels, {}, {}}, 0);
  return data;
}

EmOptions softmax_options() {
  EmOptions options;
  options.softmax = true;
  return options;
}

LinkHyper bends(double own, double shared) {
  LinkHyper hyper;
  hyper.harmonics = 6;
  hyper.v = own;
  hyper.shared = shared;
  return hyper;
}

double mean_loss(const EmResult& fit, const Rows& at) {
  const std::size_t n = at.labels.size();
  const std::vector<float> margins = row_margins({at.rows, {}}, 3, fit.beta, 1);
  std::vector<std::vector<double>> nu;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<double> own(margins.begin() + static_cast<std::ptrdiff_t>(k * n),
                                  margins.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
    nu.push_back(fit.links[k].at(own, 1).nu);
  }
  double loss = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += std::exp(nu[k][i]);
    loss += std::log(sum) - nu[static_cast<std::size_t>(at.labels[i])][i];
  }
  return loss / static_cast<double>(n);
}

// -J of links whose coordinates are the columns of g, by its definition: rows one by one, and f_0 where it is
// best.
double objective(const EmResult& fit, const Rows& data, const Matrix& g, const LinkHyper& hyper,
                 std::span<const double> ridge) {
  EmResult at = fit;
  double value = 0;
  Matrix rest(g.rows(), g.cols());
  for (std::size_t k = 0; k < 3; ++k) {
    const ClassLink& link = fit.links[k];
    const Vector own = g.col(static_cast<Index>(k));
    at.links[k] = link.with_posterior(
        std::make_shared<GaussianPosterior>(own, Matrix::Identity(own.size(), own.size())));
    const Vector kappa = at.links[k].kappa();
    value += ridge[k] / 2 * kappa.dot(fit.frame->square_slope[k] * kappa);
    rest.col(static_cast<Index>(k)) = own - link.source().prior.mean;
  }
  value += mean_loss(at, data) * static_cast<double>(data.labels.size());
  const GaussianPrior& prior = fit.links[0].source().prior;
  const double v = hyper.v + hyper.shared;
  for (Index i = 0; i < g.rows(); ++i) {
    const double variance = std::exp(-prior.log_precision[i]);
    const bool level = i + 1 == g.rows();
    const double own = level ? variance : variance * hyper.v / v;
    const double shared = level ? 0 : variance * hyper.shared / v;
    if (own == 0) {
      value += rest(i, 0) * rest(i, 0) / (2 * shared);
      continue;
    }
    const double u = shared == 0 ? 0 : rest.row(i).sum() / own / (1 / shared + 3 / own);
    value += (rest.row(i).array() - u).square().sum() / (2 * own) + (shared == 0 ? 0 : u * u / (2 * shared));
  }
  return value;
}

class Bends : public ::testing::TestWithParam<std::pair<double, double>> {};
INSTANTIATE_TEST_SUITE_P(OwnAndShared, Bends,
                         ::testing::Values(std::pair{0.2, 0.0}, std::pair{0.0, 0.2}, std::pair{0.1, 0.2}));

TEST_P(Bends, AreTheModeOfTheirObjective) {
  const Rows data = bent_classes(400, 1);
  LinkgisticEm em(*data.engine, {}, {0, 1, 2}, softmax_options());
  const LinkHyper hyper = bends(GetParam().first, GetParam().second);
  EmResult fit = em.logistic(2);
  const std::vector<double> ridge{1.5, 0.5, 1};
  const LinkgisticEm::Scored own{{}, &fit.beta};
  em.e_step(LinkFamily(hyper), std::span(&own, 1), fit.ranges, ridge, fit);
  Matrix g(fit.links[0].source().dimension(), 3);
  for (Index k = 0; k < 3; ++k) g.col(k) = fit.links[static_cast<std::size_t>(k)].posterior().estimate();
  const double least = objective(fit, data, g, hyper, ridge);
  double loss = mean_loss(fit, data) * static_cast<double>(data.labels.size());
  for (std::size_t k = 0; k < 3; ++k)
    loss += ridge[k] / 2 * fit.links[k].kappa().dot(fit.frame->square_slope[k] * fit.links[k].kappa());
  EXPECT_NEAR(fit.precision->loss, loss, 1e-6 * loss);
  RandomStream random(2);
  for (int trial = 0; trial < 30; ++trial) {
    Matrix direction(g.rows(), g.cols());
    for (double& d : direction.reshaped()) d = random.normal();
    const GaussianPrior& prior = fit.links[0].source().prior;
    for (Index i = 0; i < g.rows(); ++i) direction.row(i) *= std::exp(-0.5 * prior.log_precision[i]);
    if (hyper.v == 0) {  // one f for all, and levels that stay
      for (Index k = 1; k < 3; ++k) direction.col(k) = direction.col(0);
      direction.row(g.rows() - 1).setZero();
    }
    const double h = 1e-3;
    const double slope = (objective(fit, data, g + h * direction, hyper, ridge) -
                          objective(fit, data, g - h * direction, hyper, ridge)) /
                         (2 * h);
    const double bend = (objective(fit, data, g + h * direction, hyper, ridge) - 2 * least +
                         objective(fit, data, g - h * direction, hyper, ridge)) /
                        (h * h);
    EXPECT_GT(bend, 0) << trial;
    // What a Newton step along the direction could still gain.
    EXPECT_LT(slope * slope / (2 * bend), 1e-6 * least) << trial;
  }
}

// nu_k of all rows where class k has the coordinates g.
std::vector<double> values_at(const EmResult& fit, const Rows& data, std::size_t k, const Vector& g) {
  const std::size_t n = data.labels.size();
  const std::vector<float> margins = row_margins({data.rows, {}}, 3, fit.beta, 1);
  const ClassLink link = fit.links[k].with_posterior(
      std::make_shared<GaussianPosterior>(g, Matrix::Identity(g.size(), g.size())));
  return link
      .at(std::vector<double>(margins.begin() + static_cast<std::ptrdiff_t>(k * n),
                              margins.begin() + static_cast<std::ptrdiff_t>((k + 1) * n)),
          1)
      .nu;
}

// The precision row by row, with derivatives of nu by differences: sum of psi (diag p - p p') psi' over the
// rows, the penalty's, and that of the prior, whose classes share f_0.
TEST_P(Bends, HaveTheCovarianceOfAllClassesTogether) {
  const Rows data = bent_classes(300, 5);
  LinkgisticEm em(*data.engine, {}, {0, 1, 2}, softmax_options());
  const LinkHyper hyper = bends(GetParam().first, GetParam().second);
  EmResult fit = em.logistic(2);
  const std::vector<double> ridge{1.5, 0.5, 1};
  const LinkgisticEm::Scored own{{}, &fit.beta};
  em.e_step(LinkFamily(hyper), std::span(&own, 1), fit.ranges, ridge, fit);
  const std::vector<Matrix> roots = joint_roots(*fit.precision);
  ASSERT_EQ(roots.size(), 3U);
  const Index q = roots[0].rows();
  const std::size_t n = data.labels.size();
  Matrix psi(3 * q, static_cast<Index>(n)), p(3, static_cast<Index>(n));
  Matrix wanted = Matrix::Zero(3 * q, 3 * q);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector mode = fit.links[k].posterior().estimate();
    const std::vector<double> nu = values_at(fit, data, k, mode);
    p.row(static_cast<Index>(k)) =
        Eigen::Map<const Vector>(nu.data(), static_cast<Index>(n)).array().exp().transpose();
    const double h = 1e-5;
    const auto place = static_cast<Index>(k) * q;
    Matrix kappa(fit.links[k].kappa().size(), q);
    for (Index i = 0; i < q; ++i) {
      const Vector up = mode + h * Vector::Unit(q, i);
      const Vector down = mode - h * Vector::Unit(q, i);
      const std::vector<double> above = values_at(fit, data, k, up);
      const std::vector<double> below = values_at(fit, data, k, down);
      for (std::size_t j = 0; j < n; ++j)
        psi(place + i, static_cast<Index>(j)) = (above[j] - below[j]) / (2 * h);
      const auto& map = *fit.links[k].source().map;
      kappa.col(i) = (map.value(up) - map.value(down)) / (2 * h);
    }
    wanted.block(place, place, q, q) = ridge[k] * kappa.transpose() * fit.frame->square_slope[k] * kappa;
  }
  for (Index j = 0; j < p.cols(); ++j) {
    const Vector share = p.col(j) / p.col(j).sum();
    Vector whole(3 * q);
    for (Index k = 0; k < 3; ++k) {
      const Vector one = psi.col(j).segment(k * q, q);
      wanted.block(k * q, k * q, q, q) += share[k] * one * one.transpose();
      whole.segment(k * q, q) = share[k] * one;
    }
    wanted -= whole * whole.transpose();
  }
  // The covariance of the prior may be singular: V - V (H^-1 + V)^-1 V = (1 + V H)^-1 V.
  const GaussianPrior& prior = fit.links[0].source().prior;
  Matrix before = Matrix::Zero(3 * q, 3 * q);
  for (Index i = 0; i < q; ++i) {
    const double variance = std::exp(-prior.log_precision[i]);
    const bool level = i + 1 == q;
    const double v = hyper.v + hyper.shared;
    for (Index k = 0; k < 3; ++k)
      for (Index l = 0; l < 3; ++l)
        before(k * q + i, l * q + i) =
            (level ? 0 : variance * hyper.shared / v) + (k != l  ? 0
                                                         : level ? (hyper.v > 0 ? variance : 0)
                                                                 : variance * hyper.v / v);
  }
  const Matrix covariance = (Matrix::Identity(3 * q, 3 * q) + before * wanted).partialPivLu().solve(before);
  Matrix root(3 * q, roots[0].cols());
  for (Index k = 0; k < 3; ++k) root.middleRows(k * q, q) = roots[static_cast<std::size_t>(k)];
  EXPECT_LT((root * root.transpose() - covariance).norm(), 2e-3 * covariance.norm());
}

TEST_P(Bends, GiveProbabilitiesTheSpreadThatDifferencesHave) {
  const Rows data = bent_classes(300, 6);
  LinkgisticEm em(*data.engine, {}, {0, 1, 2}, softmax_options());
  EmResult fit = em.logistic(2);
  const LinkgisticEm::Scored own{{}, &fit.beta};
  em.e_step(LinkFamily(bends(GetParam().first, GetParam().second)), std::span(&own, 1), fit.ranges,
            std::vector<double>(3, 1.0), fit);
  const std::vector<Matrix> roots = joint_roots(*fit.precision);
  std::vector<ClassLink> links;
  for (std::size_t k = 0; k < 3; ++k)
    links.push_back(fit.links[k].with_posterior(
        std::make_shared<GaussianPosterior>(fit.links[k].posterior().estimate(), roots[k])));
  const ProbabilitySpread spread(links);
  const ScoreRange& range = links[0].range();
  // The last row is beyond the range of all scores.
  for (const auto& scores : {std::vector<double>{-0.5, 0.3, 1.0}, std::vector<double>{2.0, -1.0, 0.1},
                             std::vector<double>(3, range.upper + 0.5)}) {
    const auto log_odds = [&](const Vector& e) {
      std::vector<double> nu(3);
      for (std::size_t k = 0; k < 3; ++k) {
        const ClassLink moved = links[k].with_posterior(std::make_shared<GaussianPosterior>(
            Vector(links[k].posterior().estimate() + roots[k] * e), roots[k]));
        nu[k] = moved.at(std::span(&scores[k], 1), 1).nu[0];
      }
      const double sum = std::exp(nu[0]) + std::exp(nu[1]) + std::exp(nu[2]);
      Vector result(3);
      for (std::size_t k = 0; k < 3; ++k)
        result[static_cast<Index>(k)] = nu[k] - std::log(sum - std::exp(nu[k]));
      return result;
    };
    const Index columns = roots[0].cols();
    const Vector centre = log_odds(Vector::Zero(columns));
    Vector square = Vector::Zero(3);
    const double h = 1e-4;
    for (Index i = 0; i < columns; ++i) {
      const Vector step = h * Vector::Unit(columns, i);
      square.array() += ((log_odds(step) - log_odds(-step)) / (2 * h)).array().square();
    }
    const std::vector<double> p{1 / (1 + std::exp(-centre[0])), 1 / (1 + std::exp(-centre[1])),
                                1 / (1 + std::exp(-centre[2]))};
    std::vector<double> sd(3);
    spread(scores, p, sd);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(sd[k], std::sqrt(square[static_cast<Index>(k)]), 3e-3 * sd[k] + 1e-4) << k;
  }
}

// nu_k less the mean of all links at the middles of their scores, moved along each direction.
TEST_P(Bends, HaveBandsWithoutTheLevelOfAll) {
  const Rows data = bent_classes(300, 6);
  LinkgisticEm em(*data.engine, {}, {0, 1, 2}, softmax_options());
  EmResult fit = em.logistic(2);
  const LinkgisticEm::Scored own{{}, &fit.beta};
  em.e_step(LinkFamily(bends(GetParam().first, GetParam().second)), std::span(&own, 1), fit.ranges,
            std::vector<double>(3, 1.0), fit);
  const std::vector<Matrix> roots = joint_roots(*fit.precision);
  std::vector<ClassLink> links;
  for (std::size_t k = 0; k < 3; ++k)
    links.push_back(fit.links[k].with_posterior(
        std::make_shared<GaussianPosterior>(fit.links[k].posterior().estimate(), roots[k])));
  const auto value = [&](std::size_t k, double score, const Vector& e) {
    const ClassLink moved = links[k].with_posterior(std::make_shared<GaussianPosterior>(
        Vector(links[k].posterior().estimate() + roots[k] * e), roots[k]));
    return moved.at(std::span(&score, 1), 1).nu[0];
  };
  const ProbabilitySpread spread(links);
  const double h = 1e-4;
  const Index columns = roots[0].cols();
  for (std::size_t k = 0; k < 3; ++k) {
    const double score = links[k].range().middle() + 0.3 * links[k].range().half();
    const auto free = [&](const Vector& e) {
      double result = value(k, score, e);
      for (std::size_t l = 0; l < 3; ++l) result -= value(l, links[l].range().middle(), e) / 3;
      return result;
    };
    double square = 0, with_level = 0;
    for (Index i = 0; i < columns; ++i) {
      const Vector step = h * Vector::Unit(columns, i);
      square += std::pow((free(step) - free(-step)) / (2 * h), 2);
      with_level += std::pow((value(k, score, step) - value(k, score, -step)) / (2 * h), 2);
    }
    const double sd = spread.of_link(k, std::span(&score, 1))[0];
    EXPECT_NEAR(sd, std::sqrt(square), 3e-3 * sd + 1e-4) << k;  // tables of links are straight between nodes
    EXPECT_LT(sd, std::sqrt(with_level)) << k;
  }
}

TEST_P(Bends, FollowBentClassesFarBetterThanMultinomialRegression) {
  const Rows train = bent_classes(6000, 3);
  const Rows test = bent_classes(20000, 4);
  LinkgisticEm em(*train.engine, {}, {0, 1, 2}, softmax_options());
  const EmResult straight = em.logistic(1);
  const EmResult fit = em.run({straight}, LinkFamily(bends(GetParam().first, GetParam().second)), 10).front();
  double truth = 0;
  for (std::size_t i = 0; i < test.labels.size(); ++i) {
    double sum = 0;
    for (const double v : test.nu[i]) sum += std::exp(v);
    truth += std::log(sum) - test.nu[i][static_cast<std::size_t>(test.labels[i])];
  }
  truth /= static_cast<double>(test.labels.size());
  const double base = mean_loss(straight, test);
  const double learned = mean_loss(fit, test);
  EXPECT_GT(base - truth, 0.02);
  EXPECT_LT(learned - truth, 0.25 * (base - truth)) << "straight " << base << " truth " << truth;
}

// p = softmax(nu(m), -nu(-m) seen from the other side): the two-class model whose link is their difference.
TEST(SoftmaxLinks, OfTwoReflectedClassesAreTheTwoClassModelOfTwiceTheLink) {
  const auto nu = [](double m) { return m + 0.7 * std::sin(m); };
  const auto one = std::make_shared<const LossTable>(LossTable::tabulate(-8, 8, 8, [&](int, double m) {
    return LossNode{nu(m), 1 + 0.7 * std::cos(m)};
  }));
  const auto reflected = std::make_shared<const LossTable>(LossTable::tabulate(-8, 8, 8, [&](int, double m) {
    return LossNode{-nu(-m), 1 + 0.7 * std::cos(m)};
  }));
  ScoreRequest both;
  both.coupled = 2;
  both.tables = {one, reflected};
  both.problems = {{1, 0, {}}, {0, 1, {}}};
  RowLoss loss(both);
  for (const double m : {-3.0, -0.4, 0.0, 1.7, 5.0}) {
    const std::vector<double> scores{m, -m};
    EXPECT_NEAR(loss.value(0, 1, scores), std::log1p(std::exp(-2 * nu(m))), 1e-8);
    EXPECT_NEAR(loss.slopes()[0] - loss.slopes()[1], -2 * (1 + 0.7 * std::cos(m)) / (1 + std::exp(2 * nu(m))),
                1e-6);
  }
}

}  // namespace
}  // namespace linkgistic

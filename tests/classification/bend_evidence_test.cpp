// The evidence of how far a softmax's links bend: against the same integral in other coordinates and against
// fits with other sizes; and what EM chooses by it.
#include "classification/bend_evidence.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include <gtest/gtest.h>

#include "classification/em.hpp"
#include "engine/local_engine.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct LabelledRows {
  RowMatrix rows;
  std::vector<std::int32_t> labels;
  std::shared_ptr<RowEngine> engine;

  RowEngine& operator*() const { return *engine; }
};

// Three classes; log odds are bent functions of linear scores, or straight ones.
LabelledRows three_classes(std::size_t n, bool bent) {
  RandomStream random(7);
  std::vector<double> values;
  LabelledRows data;
  for (std::size_t i = 0; i < n; ++i) {
    double z[3];
    for (double& v : z) values.push_back(v = random.normal());
    double odds[3];
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double m = 1.5 * z[k];
      sum += odds[k] = std::exp(!bent ? m : m < 0 ? 2.2 * m : 0.4 * m);
    }
    double u = random.uniform() * sum;
    std::int32_t label = 0;
    while (label < 2 && u > odds[label]) u -= odds[label++];
    data.labels.push_back(label);
  }
  data.rows = float_rows(values, n, 3);
  data.engine = make_local_engine({data.rows, data.labels, {}, {}}, 0);
  return data;
}

LinkHyper of_size(LinkBend bend) {
  LinkHyper hyper;
  hyper.harmonics = 6;
  hyper.v = bend.own;
  hyper.shared = bend.shared;
  return hyper;
}

EmOptions classes_together() {
  EmOptions options;
  options.softmax = true;
  options.em_iterations = 15;
  return options;
}

// The links of logistic regression's scores.
EmResult first_links(RowEngine& engine, LinkBend bend) {
  LinkgisticEm em(engine, {}, {0, 1, 2}, classes_together());
  EmResult fit = em.logistic(2);
  const std::vector<double> ridge{1.5, 0.5, 1};
  const LinkgisticEm::Scored own{{}, &fit.beta};
  em.e_step(LinkFamily(of_size(bend)), std::span(&own, 1), fit.ranges, ridge, fit);
  return fit;
}

// The integral over g itself, whose prior has the covariance P = S S':
//   -loss + r'Q^-1 r/2 - d'P^-1 d/2 - log det(I + P H)/2,  Q = P^-1 + H, d = m - mode, r = P^-1 d - b.
double integral_over_links(const LinkPrecision& precision, LinkBend bend) {
  const Index q = precision.hessian[0].rows();
  const Index all = 3 * q;
  const LinkFamily family([&] {
    LinkHyper hyper = of_size(bend);
    hyper.v += hyper.shared;
    return hyper;
  }());
  Vector d(all), b(all);
  Matrix p = Matrix::Zero(all, all);
  for (Index k = 0; k < 3; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const SourceModel source = family.source(family.theta(precision.links[at].range()));
    d.segment(k * q, q) = source.prior.mean - precision.links[at].posterior().estimate();
    b.segment(k * q, q) = precision.gradient[at];
    for (Index l = 0; l < 3; ++l) {
      for (Index i = 0; i < q; ++i) {
        const double variance = std::exp(-source.prior.log_precision[i]);
        const double v = bend.own + bend.shared;
        const double shared = i + 1 < q ? variance * bend.shared / v : 0;
        p(k * q + i, l * q + i) = shared + (k == l ? variance - shared : 0);
      }
    }
  }
  const Matrix& h = precision.joint;
  const Matrix inverse = p.inverse();
  const Matrix both = inverse + h;
  const Vector r = inverse * d - b;
  const Matrix m = Matrix::Identity(all, all) + p * h;
  return -precision.loss + 0.5 * r.dot(both.ldlt().solve(r)) - 0.5 * d.dot(inverse * d) -
         0.5 * std::log(m.determinant());
}

TEST(BendEvidence, IsTheIntegralOverAllLinks) {
  const auto engine = three_classes(500, true);
  const EmResult fit = first_links(*engine, {0.1, 0.1});
  const BendEvidence evidence(*fit.precision, of_size({}));
  for (const LinkBend bend : {LinkBend{0.1, 0.1}, {0.1, 0}, {0.01, 0.3}, {0.3, 0.05}})
    EXPECT_NEAR(evidence.log_evidence(bend), integral_over_links(*fit.precision, bend), 1e-5)
        << bend.own << " " << bend.shared;
}

// The loss shifted by a linear term: its links are no longer at a mode, and what is integrated is larger
// there than at any point that they have reached.
TEST(BendEvidence, HasTheGreatestDensityOfTheQuadraticAwayFromAMode) {
  const auto engine = three_classes(500, true);
  const EmResult fit = first_links(*engine, {0.1, 0.1});
  const auto reached = [&](const LinkPrecision& precision) {
    double density = -precision.loss;
    const BendPrior prior(
        [&] {
          std::vector<SourceModel> sources;
          for (const ClassLink& link : precision.links) sources.push_back(link.source());
          return sources;
        }(),
        {0.1, 0.1});
    // The least sum of squares of x_0 and x_k with shared_sd x_0 + own_sd x_k = g_k - mean_k.
    const Index weights = prior.shared_sd.size();
    for (Index i = 0; i <= weights; ++i) {
      double sum = 0, squares = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double d = precision.links[k].posterior().estimate()[i] - prior.mean[k][i];
        sum += d;
        squares += d * d;
      }
      const double own = prior.own_sd[i] * prior.own_sd[i];
      const double shared = i < weights ? prior.shared_sd[i] * prior.shared_sd[i] : 0;
      density -= 0.5 * (squares - sum * sum * shared / (own + 3 * shared)) / own;
    }
    return density;
  };
  const BendEvidence::Parts at_mode = BendEvidence(*fit.precision, of_size({})).parts({0.1, 0.1});
  EXPECT_NEAR(at_mode.density, reached(*fit.precision), 1e-4);
  EXPECT_LT(at_mode.volume, 0);
  LinkPrecision shifted = *fit.precision;
  for (Vector& gradient : shifted.gradient) gradient.array() += 20;
  const BendEvidence::Parts away = BendEvidence(shifted, of_size({})).parts({0.1, 0.1});
  EXPECT_GT(away.density, reached(shifted) + 1);
  EXPECT_NEAR(away.sum(), integral_over_links(shifted, {0.1, 0.1}), 1e-5);
  EXPECT_EQ(away.volume, at_mode.volume);
}

TEST(BendEvidence, IsWhatTheEStepReportsAndNearlyThatOfFitsWithOtherSizes) {
  const auto engine = three_classes(2000, true);
  const EmResult fit = first_links(*engine, {0.1, 0.1});
  const BendEvidence evidence(*fit.precision, of_size({}));
  // The E-step reports what its links reach: the moments of cells leave it this far from the quadratic's
  // mode.
  EXPECT_NEAR(evidence.log_evidence({0.1, 0.1}), fit.trace.back().objective, 1e-3);
  EXPECT_GE(evidence.log_evidence({0.1, 0.1}), fit.trace.back().objective);
  for (const LinkBend bend : {LinkBend{0.2, 0.1}, {0.05, 0.1}, {0.1, 0.2}, {0.1, 0.05}, {0, 0.1}}) {
    const double refitted = first_links(*engine, bend).trace.back().objective;
    const double moved = refitted - fit.trace.back().objective;
    EXPECT_NEAR(evidence.log_evidence(bend), refitted, 0.05 + 0.2 * std::abs(moved))
        << bend.own << " " << bend.shared;
  }
}

TEST(BendEvidence, OfClassesByThemselvesIsThatOfAJointHessianWithoutCrossBlocks) {
  const auto engine = three_classes(500, true);
  LinkPrecision precision = *first_links(*engine, {0.1, 0.1}).precision;
  const Index q = precision.hessian[0].rows();
  for (Index k = 0; k < 3; ++k)
    for (Index l = 0; l < 3; ++l)
      if (k != l) precision.joint.block(k * q, l * q, q, q).setZero();
  LinkPrecision blocks = precision;
  blocks.joint.resize(0, 0);
  for (const LinkBend bend : {LinkBend{0.1, 0.1}, {0, 0.1}, {0.1, 0}, {0.01, 0.3}})
    EXPECT_NEAR(BendEvidence(blocks, of_size({})).log_evidence(bend),
                BendEvidence(precision, of_size({})).log_evidence(bend), 1e-7)
        << bend.own << " " << bend.shared;
}

TEST(BendEvidence, LetsEmBendLinksThatAreBentAndLeaveStraightOnes) {
  const auto chosen = [](bool bent) {
    const auto engine = three_classes(4000, bent);
    LinkgisticEm em(*engine, {}, {0, 1, 2}, classes_together());
    EmResult start = em.logistic(1);
    start.bend = BendSearch{{}, {0.1, 0.03}};
    return em.run({start}, LinkFamily(of_size({0.1, 0.03})), 15).front();
  };
  const EmResult straight = chosen(false);
  const EmResult bent = chosen(true);
  EXPECT_LT(straight.bend->used.own + straight.bend->used.shared, 0.02);
  EXPECT_GT(bent.bend->used.own + bent.bend->used.shared, 0.05);
  EXPECT_TRUE(bent.converged());
}

}  // namespace
}  // namespace linkgistic

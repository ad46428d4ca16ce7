// The density that chains move on: against differences, the log joint, and its jumps.
#include "inference/joint_target.hpp"

#include <Eigen/LU>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "inference/noisy_tanh.hpp"
#include "numeric/derivative_check.hpp"
#include "response/gaussian.hpp"
#include "source/nystrom_source.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

TEST(DataGradient, IsThatOfTheFullDerivatives) {
  const NoisyTanh rows(50);
  const TrigSource family(PriorKind::offset, 4, 0.5);
  const auto features = family.at(start_theta(family.hyper_parameters())).features;
  std::vector<std::shared_ptr<const DataTerm>> terms{moments(family, rows), labels(family, rows)};
  terms.push_back(std::make_shared<PointwiseData>(features, std::make_shared<GaussianResponse>(), rows.x,
                                                  rows.y, std::vector<double>(50, 1.5), 1));
  // Too many rows to keep their features.
  const NoisyTanh many(20000);
  terms.push_back(labels(family, many));
  const Vector kappa = 0.3 * Vector::LinSpaced(features->size(), -1, 1);
  for (const auto& term : terms) {
    const Vector eta = start_theta(term->hyper_parameters());
    const DataDerivatives d = term->derivatives(kappa, eta);
    const DataGradient gradient = term->gradient(kappa, eta, true);
    EXPECT_NEAR(gradient.value, d.value, 1e-12 * std::abs(d.value));
    EXPECT_LT(relative_difference(gradient.kappa, d.gradient), 1e-12);
    for (Index i = 0; i < eta.size(); ++i)
      EXPECT_NEAR(gradient.eta[i], term->hyper_derivatives(kappa, eta, i).value, 1e-9);
  }
}

struct Case {
  std::string name;
  std::shared_ptr<const SourceFamily> family;
  bool gaussian;
};

class JointGradient : public testing::TestWithParam<Case> {};

// At every label, away from the modes, for all and for some learned hyper-parameters.
TEST_P(JointGradient, IsThatOfTheDensity) {
  const NoisyTanh rows(40);
  const SourceFamily& family = *GetParam().family;
  const auto term = GetParam().gaussian ? moments(family, rows) : labels(family, rows);
  const Problem problem = problem_of(family, term);
  const LaplaceFit fit = learn(problem.held());
  RandomStream random(5);
  std::vector<JointTarget::Place> places{{fit.mode.g, fit.mode.whitened_hessian}};
  Vector other = fit.mode.g;
  for (double& value : other) value += 0.05 * random.normal();
  places.push_back({other, 1.3 * fit.mode.whitened_hessian});
  const bool symmetric = fit.source.basis && fit.source.prior.mean.head(fit.source.basis->size()).isZero();
  std::vector<bool> all(problem.hyper.size(), !family.basis_moves());
  if (GetParam().gaussian) all.back() = true;
  std::vector<bool> none(all.size(), false), one = none;
  one.back() = GetParam().gaussian;
  for (const auto& learned : {all, one, none}) {
    const Problem sampled = problem.from(fit.theta).learning(learned);
    const JointTarget target(sampled, *term, places, symmetric ? fit.source.basis->size() : 0);
    for (const std::size_t label : {std::size_t{0}, std::size_t{1}}) {
      Vector x(target.dimension());
      for (double& value : x) value = 0.3 * random.normal();
      x.tail(target.dimension() - target.free_dimension()) += fit.theta(target.learned());
      Vector gradient;
      target.value_and_gradient(x, label, gradient);
      const auto value = [&](const Vector& at) {
        Vector ignored;
        return target.value_and_gradient(at, label, ignored);
      };
      EXPECT_LT(relative_difference(gradient, numeric_gradient(value, x)), 1e-7);
      // Coordinates and back.
      EXPECT_LT(relative_difference(target.coordinates(target.g(x, label), target.theta(x), label), x),
                1e-10);
    }
  }
}

// The density of x is that of (g, theta) times the Jacobian: between two points of one label and one theta
// only p(g | theta) and the shares of the label differ.
TEST_P(JointGradient, BelongsToTheLogJoint) {
  const NoisyTanh rows(40);
  const SourceFamily& family = *GetParam().family;
  const auto term = GetParam().gaussian ? moments(family, rows) : labels(family, rows);
  const Problem problem = problem_of(family, term);
  const LaplaceFit fit = learn(problem.held());
  std::vector<bool> learned(problem.hyper.size(), !family.basis_moves());
  const Problem sampled = problem.from(fit.theta).learning(learned);
  const JointTarget target(sampled, *term, {{fit.mode.g, fit.mode.whitened_hessian}}, 0);
  RandomStream random(6);
  Vector x[2];
  double difference = 0;
  for (const int k : {0, 1}) {
    x[k] = target.coordinates(fit.mode.g, fit.theta, 0);
    x[k].tail(target.learned().size()).array() += 0.2;
    for (Index i = 0; i < target.free_dimension(); ++i) x[k][i] += random.normal();
    Vector ignored;
    const Vector theta = target.theta(x[k]);
    const SourceModel source = family.at(theta.head(static_cast<Index>(family.hyper_parameters().size())));
    const LogJoint joint(source, *term, theta.tail(term->hyper_parameters().size()));
    difference += (k == 0 ? 1 : -1) *
                  (target.value_and_gradient(x[k], 0, ignored) - joint.log_joint(target.g(x[k], 0)));
  }
  EXPECT_NEAR(difference, 0, 1e-8);
}

// p(x) = p(D, g | theta) p(theta) |dg/du|, the last by differences, wherever theta is.
TEST_P(JointGradient, IsTheDensityOfSourceAndHyperParametersTimesTheJacobian) {
  const NoisyTanh rows(40);
  const SourceFamily& family = *GetParam().family;
  const auto term = GetParam().gaussian ? moments(family, rows) : labels(family, rows);
  const Problem problem = problem_of(family, term);
  const LaplaceFit fit = learn(problem.held());
  const std::vector<bool> learned(problem.hyper.size(), !family.basis_moves());
  const Problem sampled = problem.from(fit.theta).learning(learned);
  const JointTarget target(sampled, *term, {{fit.mode.g, fit.mode.whitened_hessian}}, 0);
  RandomStream random(8);
  const Index d = target.free_dimension();
  for (int k = 0; k < 2; ++k) {
    Vector x = target.coordinates(fit.mode.g, fit.theta, 0);
    for (double& value : x) value += 0.4 * random.normal();
    const Vector theta = target.theta(x);
    const SourceModel source = family.at(theta.head(static_cast<Index>(family.hyper_parameters().size())));
    const LogJoint joint(source, *term, theta.tail(static_cast<Index>(term->hyper_parameters().size())));
    double expected = joint.log_joint(target.g(x, 0));
    for (const Index i : target.learned()) {
      const HyperParameter& h = problem.hyper[static_cast<std::size_t>(i)];
      const double z = (theta[i] - h.prior_mean) / h.prior_sd;
      expected -= z * z / 2 + std::log(h.prior_sd * std::sqrt(2 * std::numbers::pi));
    }
    const Matrix jacobian = numeric_jacobian(
        [&](const Vector& u) -> Vector {
          Vector at = x;
          at.head(d) = u;
          return target.g(at, 0)(source.prior.free_coordinates());
        },
        x.head(d));
    Vector ignored;
    EXPECT_NEAR(target.value_and_gradient(x, 0, ignored),
                expected + std::log(std::abs(jacobian.determinant())), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sources, JointGradient,
    testing::Values(Case{"isgp", std::make_shared<TrigSource>(PriorKind::isgp, 4, 0.5), true},
                    Case{"offset", std::make_shared<TrigSource>(PriorKind::offset, 4, 0.5), true},
                    Case{"gp", std::make_shared<TrigSource>(PriorKind::gp, 4, 0.5), true},
                    Case{"shifted", std::make_shared<TrigSource>(PriorKind::isgp, 4, 0.5, -2.0), true},
                    Case{"offset_bernoulli", std::make_shared<TrigSource>(PriorKind::offset, 4, 0.5), false},
                    Case{"nystrom", std::make_shared<NystromSource>(PriorKind::isgp, 6, -1, 1), true}),
    [](const auto& test) { return test.param.name; });

TEST(JointTarget, TurnsAPointOverThatIsNearAnImage) {
  const NoisyTanh rows(200);
  const TrigSource family(PriorKind::isgp, 1, 0.5);
  const auto term = moments(family, rows);
  const Problem problem = problem_of(family, term);
  const LaplaceFit fit = learn(problem.held());
  const Problem held = problem.from(fit.theta).held();
  const JointTarget target(held, *term, {{fit.mode.g, fit.mode.whitened_hessian}}, 2);
  Vector mirrored = fit.mode.g;
  mirrored.head(2) *= -1;
  TargetPoint point;
  point.x = target.coordinates(mirrored, fit.theta, 0);
  point.log_density = target.value_and_gradient(point.x, 0, point.gradient);
  RandomStream random(1);
  target.jump(point, random);
  EXPECT_LT((target.g(point.x, 0) - fit.mode.g).norm(), 1e-9);
  Vector gradient;
  EXPECT_EQ(point.log_density, target.value_and_gradient(point.x, 0, gradient));
  EXPECT_EQ(point.gradient, gradient);
}

// Two wells of unequal mass, far apart: without jumps a chain would never leave the one it starts in.
TEST(JointTarget, JumpsBetweenModesInProportionToTheirMass) {
  // nu = nu0 + p^2 C: with clear data the sign of p is undetermined; labels tell a skewed mass apart only
  // through the Gaussians, so the shares must come out equal although one Gaussian is wrong by a factor.
  const NoisyTanh rows(200);
  const TrigSource family(PriorKind::isgp, 1, 0.5);
  const auto term = moments(family, rows);
  const Problem problem = problem_of(family, term);
  const LaplaceFit fit = learn(problem.held());
  Vector mirrored = fit.mode.g;
  mirrored.head(2) *= -1;
  Matrix turned = fit.mode.whitened_hessian;
  turned.topRightCorner(2, 1) *= -1;
  turned.bottomLeftCorner(1, 2) *= -1;
  const Problem held = problem.from(fit.theta).held();
  const JointTarget target(held, *term, {{fit.mode.g, fit.mode.whitened_hessian}, {mirrored, 1.7 * turned}},
                           0);
  NutsOptions options;
  options.draws = 4000;
  const Vector centre = target.coordinates(fit.mode.g, fit.theta, 0);
  const auto chains =
      sample_nuts(target, {{centre, 0}}, std::vector<Matrix>(2, Matrix::Identity(3, 3)), options);
  int positive = 0, turns = 0;
  bool last = true;
  for (Index i = 0; i < options.draws; ++i) {
    const Vector g = target.g(chains[0].draws.col(i), chains[0].labels[static_cast<std::size_t>(i)]);
    const bool now = g[0] * fit.mode.g[0] > 0;
    positive += now ? 1 : 0;
    turns += now != last ? 1 : 0;
    last = now;
  }
  EXPECT_GT(turns, 400);  // at least 400 runs: the share's standard error is below 0.03
  EXPECT_NEAR(positive / 4000.0, 0.5, 0.1);
}

}  // namespace
}  // namespace linkgistic

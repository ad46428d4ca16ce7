// The variational Gaussian: its expectations against brute force and its derivatives against differences.
#include "inference/variational.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "inference/faint_noise.hpp"
#include "inference/small_problem.hpp"
#include "inference/starts.hpp"
#include "inference/variational_bayes.hpp"
#include "numeric/derivative_check.hpp"
#include "response/bernoulli.hpp"
#include "response/pointwise_data.hpp"
#include "source/nystrom_source.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

std::vector<std::pair<std::string, std::shared_ptr<const SourceFamily>>> families() {
  return {{"isgp", std::make_shared<TrigSource>(PriorKind::isgp, 2, 0.5)},
          {"offset", std::make_shared<TrigSource>(PriorKind::offset, 2, 0.5)},
          {"gp", std::make_shared<TrigSource>(PriorKind::gp, 2, 0.5)},
          {"offset shifted", std::make_shared<TrigSource>(PriorKind::offset, 2, 0.5, -2.0)},
          {"nystrom", std::make_shared<NystromSource>(PriorKind::isgp, 4, -1.0, 1.0, std::nullopt)}};
}

WhiteGaussian some_q(Index d, std::uint64_t seed) {
  RandomStream random(seed);
  Matrix root = Matrix::NullaryExpr(d, d, [&] { return 0.15 * random.normal(); });
  root.diagonal().array() += 0.4;
  return {Vector::NullaryExpr(d, [&] { return 0.6 * random.normal(); }), root * root.transpose()};
}

double log_gaussian(const WhiteGaussian& q, const Vector& z) {  // log q at mean + L z, without L
  const Eigen::LLT<Matrix> llt(q.covariance);
  return -z.squaredNorm() / 2 - llt.matrixLLT().diagonal().array().log().sum() -
         static_cast<double>(z.size()) / 2 * std::log(2 * std::numbers::pi);
}

TEST(SquareForm, OfTheTrigonometricGridAndByPolarisationEqualTheMap) {
  for (const auto& [name, family] : families()) {
    const SourceModel source = family->at(start_theta(family->hyper_parameters()));
    RandomStream random(4);
    const Vector g = Vector::NullaryExpr(source.dimension(), [&] { return random.normal(); });
    const Vector quadratic = source.map->value(g) - source.map->jacobian(Vector::Zero(g.size())) * g;
    const SquareForm any = polarised(*source.map);
    EXPECT_LT((any.weights * (any.points * g).cwiseAbs2() - quadratic).norm(), 1e-12) << name;
    if (!source.squares) continue;
    const SquareForm& grid = *source.squares;
    EXPECT_LT((grid.weights * (grid.points * g).cwiseAbs2() - quadratic).norm(), 1e-12) << name;
  }
}

TEST(VariationalBound, DerivativesAreThoseOfTheValue) {
  for (const auto& [name, family] : families()) {
    for (const bool gaussian : {true, false}) {
      SCOPED_TRACE(name + (gaussian ? " gaussian" : " bernoulli"));
      const SmallProblem problem(family, gaussian, 12, 3);
      const LogJoint joint = problem.joint();
      const Index d = joint.prior_sd().size();
      const WhiteGaussian q = some_q(d, 5);
      VariationalBound bound(joint);
      bound.touch(q);
      Vector d_mean;
      Matrix d_covariance;
      EXPECT_NEAR(bound.derivatives(q, d_mean, d_covariance), bound.value(q), 1e-10);
      const Vector mean_numeric = numeric_gradient(
          [&](const Vector& m) {
            return bound.value({m, q.covariance});
          },
          q.mean);
      EXPECT_LT(relative_difference(d_mean, mean_numeric), 1e-8);
      // Along symmetric directions E_ij + E_ji.
      Vector flat = Vector::Zero(d * (d + 1) / 2), expected(flat.size());
      const auto symmetric = [&](const Vector& v) {
        Matrix s = q.covariance;
        Index k = 0;
        for (Index i = 0; i < d; ++i) {
          for (Index j = 0; j <= i; ++j, ++k) {
            s(i, j) += v[k];
            if (i != j) s(j, i) += v[k];
          }
        }
        return s;
      };
      const Matrix total = d_covariance + (q.covariance.inverse() - Matrix::Identity(d, d)) / 2;
      Index k = 0;
      for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j <= i; ++j, ++k) expected[k] = (i == j ? 1 : 2) * total(i, j);
      }
      const Vector numeric = numeric_gradient(
          [&](const Vector& v) {
            return bound.value({q.mean, symmetric(v)});
          },
          flat, 1e-3);
      EXPECT_LT(relative_difference(expected, numeric), 1e-7);
    }
  }
}

TEST(VariationalBound, EqualsTheMeanOverDrawsForGaussianNoise) {
  for (const auto& [name, family] : families()) {
    SCOPED_TRACE(name);
    const SmallProblem problem(family, true, 6, 7, 1.0);
    const LogJoint joint = problem.joint();
    const WhiteGaussian q = some_q(joint.prior_sd().size(), 6);
    VariationalBound bound(joint);
    bound.touch(q);
    const Matrix root = Eigen::LLT<Matrix>(q.covariance).matrixL();
    constexpr int draws = 400000;
    double sum = 0, square = 0;
    for (int s = 0; s < draws; ++s) {
      RandomStream random(9, static_cast<std::uint64_t>(s));
      const Vector z = Vector::NullaryExpr(q.mean.size(), [&] { return random.normal(); });
      // log p(D, xi) has the prior's density of xi, not of g: the Jacobian is the product of the deviations.
      const double term =
          -joint.value(q.mean + root * z) + joint.prior_sd().array().log().sum() - log_gaussian(q, z);
      sum += term;
      square += term * term;
    }
    const double mean = sum / draws;
    EXPECT_NEAR(bound.value(q), mean, 4.5 * std::sqrt((square / draws - mean * mean) / draws));
  }
}

TEST(VariationalBound, OfLabelsIsBelowTheMeanOverDrawsAndNoFurtherThanTheBoundOfEachRow) {
  for (const auto& [name, family] : families()) {
    SCOPED_TRACE(name);
    const SmallProblem problem(family, false, 10, 8);
    const LogJoint joint = problem.joint();
    const WhiteGaussian q = some_q(joint.prior_sd().size(), 6);
    VariationalBound bound(joint);
    bound.touch(q);
    const Matrix root = Eigen::LLT<Matrix>(q.covariance).matrixL();
    constexpr int draws = 200000;
    double sum = 0, square = 0, first = 0, second = 0;
    const Vector phi = problem.source.features->at(problem.x[0]);
    for (int s = 0; s < draws; ++s) {
      RandomStream random(9, static_cast<std::uint64_t>(s));
      const Vector z = Vector::NullaryExpr(q.mean.size(), [&] { return random.normal(); });
      const double term =
          -joint.value(q.mean + root * z) + joint.prior_sd().array().log().sum() - log_gaussian(q, z);
      sum += term;
      square += term * term;
      const double nu = problem.source.map->value(joint.to_full(q.mean + root * z)).dot(phi);
      first += nu;
      second += nu * nu;
    }
    const double mean = sum / draws;
    const double error = std::sqrt((square / draws - mean * mean) / draws);
    EXPECT_LT(bound.value(q), mean + 4.5 * error);
    EXPECT_GT(bound.value(q), mean - 1);
    // Where one row is all the data the bound is the formula with the row's own E nu^2, here by simulation.
    const PointwiseData row(problem.source.features, std::make_shared<BernoulliResponse>(),
                            std::vector<double>{problem.x[0]}, std::vector<double>{1.0},
                            std::vector<double>{}, 1);
    const LogJoint one(problem.source, row, Vector());
    VariationalBound single(one);
    single.touch(q);
    const double prior_part = [&] {
      const PointwiseData none(problem.source.features, std::make_shared<BernoulliResponse>(),
                               std::vector<double>{problem.x[0]}, std::vector<double>{1.0},
                               std::vector<double>{0.0}, 1);
      const LogJoint empty(problem.source, none, Vector());
      VariationalBound b(empty);
      b.touch(q);
      return b.value(q);
    }();
    const double z = std::sqrt(second / draws);
    EXPECT_NEAR(single.value(q) - prior_part, first / draws / 2 - std::log(2 * std::cosh(z / 2)), 0.02);
  }
}

TEST(MaximiseBound, HyperGradientIsThatOfTheGreatestBound) {
  for (const auto& [name, family] : families()) {
    if (family->basis_moves()) continue;
    for (const bool gaussian : {true, false}) {
      SCOPED_TRACE(name + (gaussian ? " gaussian" : " bernoulli"));
      const SmallProblem problem(family, gaussian, 15, 21);
      const VariationalOptions tight{.max_iterations = 5000, .tolerance = 1e-13};
      const LogJoint joint = problem.joint();
      const Mode mode = find_best_mode(joint, start_points(problem.source, {-1, 1}, 4, 1), {-1, 1});
      const Index d = joint.prior_sd().size();
      const VariationalFit fit = maximise_bound(joint, site_at(joint, mode.g, Matrix::Zero(d, d)), tight);
      const WhiteGaussian q = to_white(joint, fit);
      VariationalBound bound(joint);
      bound.touch(q);
      const Index n_source = problem.theta.size();
      Vector all(n_source + problem.eta.size());
      all << problem.theta, problem.eta;
      const Vector numeric = numeric_gradient(
          [&](const Vector& theta) {
            const SourceModel source = problem.family->at(theta.head(n_source));
            const Vector eta = theta.tail(theta.size() - n_source);
            const LogJoint moved(source, *problem.data, eta);
            return maximise_bound(moved, fit.site, tight).bound;
          },
          all, 3e-2);
      EXPECT_LT(relative_difference(bound.hyper_gradient(q), numeric), 1e-4);
    }
  }
}

// A bound that rounding can lift sends these curves 1e-3 to 1e23 away.
TEST(VariationalBayes, StaysWithLaplaceWhereTheNoiseIsFaint) {
  for (const std::uint64_t seed : {2U, 5U, 10U, 11U}) {
    const FaintNoise data(seed);
    for (const PriorKind kind : {PriorKind::isgp, PriorKind::offset}) {
      SCOPED_TRACE(std::to_string(seed) + (kind == PriorKind::isgp ? " isgp" : " offset"));
      const TrigSource family(kind, 8, 0.5);
      const auto rows =
          std::make_shared<GaussianMoments>(family.at(start_theta(family.hyper_parameters())).features);
      rows->add(data.x, data.y, {}, 1);
      const Problem problem(family, [&](const std::shared_ptr<const Features>&) { return rows; }, {-1, 1});
      LearnOptions options;
      options.start_draws = 4;
      const LaplaceFit laplace = learn(problem, options);
      const VariationalBayesFit fit = learn_bound(problem, laplace, options);
      const auto error = [&](const SourceModel& source, const Vector& kappa) {
        double sum = 0;
        for (int i = 0; i <= 200; ++i) {
          const double t = -1 + i / 100.0;
          sum += std::pow(kappa.dot(source.features->at(t)) - data.truth(t), 2) / 201;
        }
        return std::sqrt(sum);
      };
      const Vector mean = fit.source.map->value(fit.q.mean) + fit.source.map->trace(fit.q.covariance) / 2;
      EXPECT_LT(error(fit.source, mean),
                1.5 * error(laplace.source, laplace.source.map->value(laplace.mode.g)) + data.noise);
      // No density of rows with this noise is greater; a lower bound of their evidence is not either.
      EXPECT_LT(fit.q.bound, 3000 * -std::log(data.noise));
    }
  }
}

// The spread is d E kappa/dtheta times the deviation of theta: by fits anew on either side, and second
// differences of the greatest bound and the weak prior.
TEST(VariationalBayes, PosteriorHasTheUncertaintyOfALearnedHyperParameter) {
  for (const PriorKind kind : {PriorKind::gp, PriorKind::offset}) {
    const auto family = std::make_shared<TrigSource>(kind, 2, 0.5);
    const SmallProblem small(family, true, 15, 4, 0.5);
    const Problem held =
        Problem(*family, [&](const std::shared_ptr<const Features>&) { return small.data; }, {-1, 1}).held();
    const auto& hyper = held.hyper;
    Problem problem = held;
    problem.learned[1] = true;  // b, v
    const VariationalBayesFit fit = learn_bound(problem, learn(problem));
    constexpr double step = 0.05;
    Vector kappa[2];
    double objective[3];
    for (const int side : {-1, 0, 1}) {
      Vector theta = fit.theta;
      theta[1] += side * step;
      const VariationalBayesFit at = learn_bound(held, learn(held.from(theta)));
      const double z = (theta[1] - hyper[1].prior_mean) / hyper[1].prior_sd;
      objective[side + 1] = at.q.bound - z * z / 2;
      if (side == 0) continue;
      kappa[(side + 1) / 2] = at.source.map->value(at.q.mean) + at.source.map->trace(at.q.covariance) / 2;
    }
    const double curvature = (2 * objective[1] - objective[0] - objective[2]) / (step * step);
    const Vector expected = (kappa[1] - kappa[0]) / (2 * step) / std::sqrt(curvature);
    const Matrix spread = variational_posterior(problem, fit).spread();
    ASSERT_EQ(spread.cols(), 1);
    EXPECT_LT((spread.col(0).cwiseAbs() - expected.cwiseAbs()).norm(), 0.02 * expected.norm());
    EXPECT_EQ(variational_posterior(held, fit).spread().cols(), 0);
  }
}

}  // namespace
}  // namespace linkgistic

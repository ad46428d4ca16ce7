// Gradient, Hessian, evidence and its gradient, for both likelihoods and every prior.
#include "inference/laplace.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "inference/starts.hpp"
#include "numeric/derivative_check.hpp"
#include "numeric/random.hpp"
#include "reference/quadrature.hpp"
#include "response/bernoulli.hpp"
#include "response/gaussian.hpp"
#include "response/gaussian_moments.hpp"
#include "response/pointwise_data.hpp"
#include "source/nystrom_source.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

constexpr double no_floor = 1e-300;

struct Problem {
  std::string name;
  std::shared_ptr<const SourceFamily> family;
  std::shared_ptr<const DataTerm> data;
  Vector theta;  // the source's
  Vector eta;    // the likelihood's
};

Vector theta_of(const SourceFamily& family) {
  Vector theta(static_cast<Index>(family.hyper_parameters().size()));
  for (Index i = 0; i < theta.size(); ++i) {
    const auto& h = family.hyper_parameters()[static_cast<std::size_t>(i)];
    theta[i] = h.to_theta(h.start) + 0.07 * static_cast<double>(i);
  }
  return theta;
}

std::vector<Problem> problems() {
  RandomStream random(41);
  std::vector<double> x, y, label, weight;
  for (int i = 0; i < 60; ++i) {
    x.push_back(2 * random.uniform() - 1);
    y.push_back(std::tanh(2 * x.back()) + 0.3 * random.normal());
    label.push_back(y.back() > 0.2 * random.normal() ? 1 : 0);
    weight.push_back(0.5 + random.uniform());
  }
  std::vector<Problem> result;
  const auto add = [&](const std::string& name, const std::shared_ptr<const SourceFamily>& family) {
    const Vector theta = theta_of(*family);
    const auto features = family->at(theta).features;
    const auto moments = std::make_shared<GaussianMoments>(features);
    moments->add(x, y, weight, 1);
    result.push_back({name + " gaussian moments", family, moments, theta, Vector::Constant(1, 2.0)});
    result.push_back(
        {name + " gaussian", family,
         std::make_shared<PointwiseData>(features, std::make_shared<GaussianResponse>(), x, y, weight, 1),
         theta, Vector::Constant(1, 2.0)});
    result.push_back({name + " bernoulli", family,
                      std::make_shared<PointwiseData>(features, std::make_shared<BernoulliResponse>(), x,
                                                      label, weight, 1),
                      theta, Vector()});
  };
  add("isgp", std::make_shared<TrigSource>(PriorKind::isgp, 6, 0.5));
  add("offset", std::make_shared<TrigSource>(PriorKind::offset, 6, 0.5));
  add("gp", std::make_shared<TrigSource>(PriorKind::gp, 6, 0.5));
  add("isgp shifted", std::make_shared<TrigSource>(PriorKind::isgp, 6, 0.5, -2.0));
  add("offset shifted", std::make_shared<TrigSource>(PriorKind::offset, 6, 0.5, -2.0));
  add("nystrom isgp", std::make_shared<NystromSource>(PriorKind::isgp, 8, -1, 1));
  add("nystrom gp", std::make_shared<NystromSource>(PriorKind::gp, 8, -1, 1));
  add("nystrom offset", std::make_shared<NystromSource>(PriorKind::offset, 8, -1, 1));
  return result;
}

TEST(LogJoint, GradientAndHessianAreThoseOfTheValue) {
  for (const auto& p : problems()) {
    SCOPED_TRACE(p.name);
    const SourceModel source = p.family->at(p.theta);
    const LogJoint joint(source, *p.data, p.eta);
    RandomStream random(2);
    const Vector xi = Vector::NullaryExpr(static_cast<Index>(joint.free_coordinates().size()),
                                          [&] { return 0.7 * random.normal(); });
    Vector gradient;
    Matrix hessian;
    EXPECT_NEAR(joint.derivatives(xi, gradient, hessian), joint.value(xi), 1e-10 * std::abs(joint.value(xi)));
    EXPECT_LT(relative_difference(gradient,
                                  numeric_gradient([&](const Vector& at) { return joint.value(at); }, xi)),
              1e-8);
    const auto slope = [&](const Vector& at) {
      Vector g;
      Matrix h;
      joint.derivatives(at, g, h);
      return g;
    };
    EXPECT_LT(relative_difference(hessian, numeric_jacobian(slope, xi)), 1e-8);
  }
}

TEST(LogJoint, EqualsADenseBruteForce) {
  // Explicit psi matrices by quadrature, one a row, and Gaussian noise.
  const auto all = problems();
  const auto& p = all[1];
  ASSERT_EQ(p.name, "isgp gaussian");
  const SourceModel source = p.family->at(p.theta);
  const LogJoint joint(source, *p.data, p.eta);
  RandomStream random(3);
  const Vector g = Vector::NullaryExpr(source.dimension(), [&] { return random.normal(); });
  const Vector w = g.head(12);
  const double alpha = std::exp(p.eta[0]);

  const double a = 1 + std::exp(p.theta[0]);
  Vector precision(13);
  for (Index i = 0; i < 12; ++i)
    precision[i] = std::exp(-p.theta[1]) * std::pow(a, static_cast<double>(i % 6 + 1));
  precision[12] = std::exp(p.theta[2]);
  const Vector residual = g - p.theta[3] * Vector::Unit(13, 12);
  double value = 0;
  for (Index i = 0; i < 13; ++i) {
    value += (std::log(precision[i] / (2 * std::numbers::pi)) - precision[i] * residual[i] * residual[i]) / 2;
  }
  Vector gradient = -precision.cwiseProduct(residual);
  Matrix hessian = precision.asDiagonal();  // of -log p
  RandomStream rows(41);                    // as in problems()
  for (int n = 0; n < 60; ++n) {
    const double x = 2 * rows.uniform() - 1;
    const double y = std::tanh(2 * x) + 0.3 * rows.normal();
    rows.normal();
    const double weight = 0.5 + rows.uniform();
    const auto phi = [](Index i, double z) {
      const double angle = std::numbers::pi * 0.5 * static_cast<double>(i % 6 + 1) * z;
      return i < 6 ? std::cos(angle) : std::sin(angle);
    };
    Matrix psi(12, 12);
    for (Index i = 0; i < 12; ++i) {
      for (Index j = 0; j < 12; ++j)
        psi(i, j) = integrate([&](double z) { return phi(i, z) * phi(j, z); }, 0, x, 8);
    }
    const double r = y - g[12] - w.dot(psi * w);
    Vector slope(13);  // dnu/dg
    slope << 2 * psi * w, 1;
    value += weight * (p.eta[0] - std::log(2 * std::numbers::pi) - alpha * r * r) / 2;
    gradient += weight * alpha * r * slope;
    hessian += weight * alpha * slope * slope.transpose();
    hessian.topLeftCorner(12, 12) -= 2 * weight * alpha * r * psi;
  }
  Vector white_gradient;
  Matrix white_hessian;
  joint.derivatives(joint.to_white(g), white_gradient, white_hessian);
  const Vector& sd = joint.prior_sd();
  EXPECT_NEAR(joint.log_joint(g), value, 1e-12 * std::abs(value));
  EXPECT_LT(relative_difference(white_gradient, -gradient.cwiseProduct(sd)), 1e-12);
  EXPECT_LT(relative_difference(white_hessian, sd.asDiagonal() * hessian * sd.asDiagonal()), 1e-12);
}

// The evidence of the mode reached from `start`, as a function of all hyper-parameters.
double evidence_at(const Problem& p, const Vector& all, const Vector& start, double floor) {
  const SourceModel source = p.family->at(all.head(p.theta.size()));
  const LogJoint joint(source, *p.data, all.tail(p.eta.size()));
  return laplace_evidence(
      joint, find_mode(joint, start, {.max_iterations = 500, .gradient_tolerance = 1e-13}), floor);
}

TEST(LaplaceEvidence, GradientEqualsDifferencesOfReoptimisedModes) {
  for (const auto& p : problems()) {
    if (p.family->basis_moves()) continue;
    SCOPED_TRACE(p.name);
    const SourceModel source = p.family->at(p.theta);
    const LogJoint joint(source, *p.data, p.eta);
    const Mode mode = find_best_mode(joint, start_points(source, {-1, 1}, 4, 0), {-1, 1});
    ASSERT_EQ(mode.stop, NewtonStop::converged);
    Vector all(p.theta.size() + p.eta.size());
    all << p.theta, p.eta;
    for (const double floor : {no_floor, 1.0}) {
      const Evidence evidence = laplace_evidence_gradient(joint, mode, floor);
      const Vector numeric =
          numeric_gradient([&](const Vector& at) { return evidence_at(p, at, mode.g, floor); }, all, 1e-3);
      EXPECT_LT((evidence.gradient - numeric).lpNorm<Eigen::Infinity>(),
                1e-5 * (1 + numeric.lpNorm<Eigen::Infinity>()))
          << "floor " << floor << ", " << evidence.floored << " floored\n"
          << evidence.gradient.transpose() << "\n"
          << numeric.transpose();
    }
  }
}

TEST(LaplaceEvidence, OfAGaussianProcessWithGaussianNoiseIsExact) {
  const TrigSource family(PriorKind::gp, 9, 0.5);
  const Vector theta = theta_of(family);
  const SourceModel source = family.at(theta);
  RandomStream random(5);
  std::vector<double> x(40), y(40);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 2 * random.uniform() - 1;
    y[i] = x[i] + random.normal();
  }
  GaussianMoments data(source.features);
  data.add(x, y, {}, 1);
  const Vector eta = Vector::Constant(1, 1.3);
  const LogJoint joint(source, data, eta);
  const Mode mode = find_mode(joint, source.prior.mean);
  // log N(y | mu 1, K + 1/gamma + 1/alpha I).
  const double a = 1 + std::exp(theta[0]), b = std::exp(theta[1]);
  Matrix k(40, 40);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 40; ++j) {
      k(i, j) = trig_kernel(x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(j)], a, b, 0.5, 9) +
                std::exp(-theta[2]) + (i == j ? std::exp(-eta[0]) : 0);
    }
  }
  const Vector r = Eigen::Map<const Vector>(y.data(), 40).array() - theta[3];
  const Eigen::LLT<Matrix> llt(k);
  const double exact = -(r.dot(llt.solve(r)) + 2 * Matrix(llt.matrixL()).diagonal().array().log().sum() +
                         40 * std::log(2 * std::numbers::pi)) /
                       2;
  EXPECT_NEAR(laplace_evidence(joint, mode, no_floor), exact, 1e-9 * std::abs(exact));
}

TEST(GuardCurvature, EqualsThePlainDeterminantAboveTheFloorAndBoundsItBelow) {
  Matrix h = Matrix::Identity(3, 3) * 2;
  h(0, 1) = h(1, 0) = 0.5;
  const GuardedCurvature plain = guard_curvature(h, 1.0);
  EXPECT_EQ(plain.floored, 0);
  EXPECT_NEAR(plain.log_det, std::log(h.determinant()), 1e-14);
  EXPECT_LT((plain.inverse - h.inverse()).norm(), 1e-14);
  h(2, 2) = 1e-9;
  const GuardedCurvature guarded = guard_curvature(h, 1.0);
  EXPECT_EQ(guarded.floored, 1);
  EXPECT_NEAR(guarded.log_det, std::log(h.topLeftCorner(2, 2).determinant()), 1e-14);
  EXPECT_NEAR(guarded.unfloored[2], 0, 1e-14);
}

TEST(FindBestMode, KeepsFPositiveOnTheAverageOverTheData) {
  const auto all = problems();
  const auto& p = all[0];
  const SourceModel source = p.family->at(p.theta);
  const LogJoint joint(source, *p.data, p.eta);
  Mode mode = find_best_mode(joint, start_points(source, {-1, 1}, 2, 0), {-1, 1});
  double sum = 0;
  for (int i = -10; i <= 10; ++i) sum += source.latent(0.1 * i, mode.g);
  EXPECT_GT(sum, 0);
  Vector turned = mode.g;
  turned.head(turned.size() - 1) *= -1;
  EXPECT_NEAR(joint.log_joint(turned), mode.log_joint, 1e-9);
  fix_sign(source, {-1, 1}, turned);
  EXPECT_LT((turned - mode.g).norm(), 1e-12);
}

}  // namespace
}  // namespace linkgistic

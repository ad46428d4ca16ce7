#include "response/response.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "numeric/derivative_check.hpp"
#include "numeric/random.hpp"
#include "response/bernoulli.hpp"
#include "response/gaussian.hpp"
#include "response/gaussian_moments.hpp"
#include "response/pointwise_data.hpp"
#include "response/responses.hpp"
#include "source/integrated_harmonics.hpp"

namespace linkgistic {
namespace {

struct Case {
  std::shared_ptr<const Response> response;
  Vector eta;
  double y;
};

std::vector<Case> cases() {
  return {{std::make_shared<GaussianResponse>(), Vector::Constant(1, 0.8), 1.3},
          {std::make_shared<BernoulliResponse>(), Vector(), 0.0},
          {std::make_shared<BernoulliResponse>(), Vector(), 1.0},
          {named_response("poisson"), Vector(), 3.0},
          {named_response("bernoulli"), Vector(), 1.0},
          {named_response("binomial"), Vector(), 0.0},
          {make_binomial_response(9), Vector(), 4.0},
          {make_forced_choice(1, true, {0.5}, {0.02}), Vector(), 1.0},
          {make_forced_choice(1, true, {0.5}, {0.02}), Vector(), 0.0},
          {make_forced_choice(9, false, {}, {0.02}), Vector(), 4.0},
          {make_forced_choice(9, false, {0.25}, {0, true}), Vector::Constant(1, -3), 4.0},
          {make_forced_choice(9, false, {0, true}, {0.1}), Vector::Constant(1, -2), 7.0},
          {make_forced_choice(1, true, {0, true}, {0, true}), Vector{{-1.5, -3}}, 1.0},
          {make_forced_choice(1, true, {0, true}, {0, true}), Vector{{-1.5, -3}}, 0.0},
          {named_response("gamma"), Vector::Constant(1, 0.6), 2.3},
          {named_response("gamma"), Vector::Constant(1, 4.5), 2.3},
          {named_response("negative-binomial"), Vector::Constant(1, -0.7), 5.0},
          {named_response("negative-binomial"), Vector::Constant(1, 1.2), 0.0},
          {named_response("negative-binomial"), Vector::Constant(1, -0.7), 200.0},
          {named_response("student"), Vector{{0.5, 1.1}}, 1.3},
          {named_response("student"), Vector{{0.5, 4.0}}, -2.0}};
}

TEST(Response, ThreeDerivativesAreThoseOfTheValue) {
  for (const auto& c : cases()) {
    SCOPED_TRACE(c.response->name());
    for (const double nu : {-3.0, -0.2, 0.0, 1.7}) {
      const auto all = [&](const Vector& at) {
        const LogDensity l = c.response->at(c.y, at[0], c.eta);
        return Vector{{l.value, l.first, l.second}};
      };
      const Matrix numeric = numeric_jacobian(all, Vector::Constant(1, nu));
      const LogDensity l = c.response->at(c.y, nu, c.eta);
      EXPECT_LT(relative_difference(Vector{{l.first, l.second, l.third}}, numeric), 1e-9);
    }
  }
}

TEST(Response, DerivativesInItsOwnHyperParametersAreExact) {
  for (const auto& c : cases()) {
    if (c.eta.size() == 0) continue;
    const auto all = [&](const Vector& eta) {
      const LogDensity l = c.response->at(c.y, 0.4, eta);
      return Vector{{l.value, l.first, l.second}};
    };
    SCOPED_TRACE(c.response->name());
    const Matrix numeric = numeric_jacobian(all, c.eta);
    for (Index i = 0; i < c.eta.size(); ++i) {
      const LogDensity d = c.response->hyper_derivative(c.y, 0.4, c.eta, i);
      EXPECT_LT(relative_difference(Vector{{d.value, d.first, d.second}}, numeric.col(i)), 2e-9);
    }
  }
}

TEST(BernoulliResponse, IsSoundAtTheEnds) {
  const BernoulliResponse bernoulli;
  for (const double nu : {-1e308, -1e3, -40.0, 40.0, 1e3, 1e308}) {
    for (const double y : {0.0, 1.0}) {
      const LogDensity l = bernoulli.at(y, nu, Vector());
      EXPECT_FALSE(std::isnan(l.value) || std::isnan(l.first) || std::isnan(l.second) || std::isnan(l.third));
      EXPECT_LE(l.value, 0);
      EXPECT_LE(l.second, 0);
    }
  }
  EXPECT_DOUBLE_EQ(bernoulli.at(0, 800, Vector()).value, -800);
  EXPECT_DOUBLE_EQ(bernoulli.at(1, 800, Vector()).value, 0);
  // 1 - p without cancellation: l' at y = 1 is e^-nu.
  EXPECT_NEAR(bernoulli.at(1, 50, Vector()).first / std::exp(-50.0), 1, 1e-14);
}

struct Rows {
  std::vector<double> x, y, weight;
  explicit Rows(std::size_t n) : x(n), y(n), weight(n) {
    RandomStream random(31);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = 2 * random.uniform() - 1;
      y[i] = x[i] + random.normal();
      weight[i] = static_cast<double>(random.below(3));
    }
  }
};

TEST(GaussianMoments, StandForTheRows) {
  const Rows rows(500);
  const auto features = std::make_shared<IntegratedHarmonics>(12, 0.5);
  const Vector eta = Vector::Constant(1, 1.1);
  GaussianMoments moments(features);
  // In two blocks, as from a stream.
  moments.add(std::span(rows.x).first(200), std::span(rows.y).first(200), std::span(rows.weight).first(200),
              1);
  moments.add(std::span(rows.x).subspan(200), std::span(rows.y).subspan(200),
              std::span(rows.weight).subspan(200), 2);
  const PointwiseData plain(features, std::make_shared<GaussianResponse>(), rows.x, rows.y, rows.weight, 1);
  RandomStream random(1);
  const Vector kappa = Vector::NullaryExpr(features->size(), [&] { return random.normal(); });
  const DataDerivatives a = moments.derivatives(kappa, eta), b = plain.derivatives(kappa, eta);
  EXPECT_NEAR(a.value, b.value, 1e-11 * std::abs(b.value));
  EXPECT_NEAR(moments.value(kappa, eta), b.value, 1e-11 * std::abs(b.value));
  EXPECT_LT(relative_difference(a.gradient, b.gradient), 1e-12);
  EXPECT_LT(relative_difference(a.curvature, b.curvature), 1e-12);
  const DataDerivatives da = moments.hyper_derivatives(kappa, eta, 0),
                        db = plain.hyper_derivatives(kappa, eta, 0);
  EXPECT_NEAR(da.value, db.value, 1e-11 * std::abs(db.value));
  EXPECT_LT(relative_difference(da.gradient, db.gradient), 1e-12);
  EXPECT_TRUE(moments.third(kappa, eta, a.curvature).isZero());
  const Matrix covariance = Matrix::Identity(kappa.size(), kappa.size());
  const QuadraticBound bounds[] = {
      moments.quadratic_bound(kappa, covariance, eta), plain.quadratic_bound(kappa, covariance, eta),
      moments.quadratic_bound_derivative(eta, 0), plain.quadratic_bound_derivative(eta, 0)};
  for (const int i : {0, 2}) {
    EXPECT_NEAR(bounds[i].constant, bounds[i + 1].constant, 1e-11 * std::abs(bounds[i].constant));
    EXPECT_LT(relative_difference(bounds[i].linear, bounds[i + 1].linear), 1e-12);
    EXPECT_LT(relative_difference(bounds[i].gram, bounds[i + 1].gram), 1e-12);
  }
}

// The bound of Gaussian rows is their log likelihood, which has a top; at a large kappa whose terms cancel
// rounding must not lift it above.
TEST(GaussianMoments, BoundIsNowhereAboveItsTop) {
  const auto features = std::make_shared<IntegratedHarmonics>(8, 0.5);
  RandomStream random(12);
  std::vector<double> x(3000), y(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    x[n] = 2 * random.uniform() - 1;
    y[n] = x[n] + 1e-3 * random.normal();
  }
  GaussianMoments moments(features);
  moments.add(x, y, {}, 1);
  const Vector eta = Vector::Constant(1, 2 * std::log(1e3));
  const Matrix none = Matrix::Zero(features->size(), features->size());
  const Vector zero = Vector::Zero(features->size());
  const QuadraticBound bound = moments.quadratic_bound(zero, none, eta);
  // Residuals of at least zero: (n/2) log (precision/2 pi).
  EXPECT_LE(bound.top, 1500 * (eta[0] - std::log(2 * std::numbers::pi)) * (1 + 1e-12));
  const Matrix curvature = moments.derivatives(zero, eta).curvature;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(bound.gram);
  for (Index i = 0; i < zero.size(); ++i) {
    for (const double size : {1.0, 1e3, 1e6, 1e9}) {
      const Vector kappa = size * eigen.eigenvectors().col(i);
      EXPECT_LE(bound.at(kappa), bound.top);
      EXPECT_LE(moments.value(kappa, eta), bound.top);
      EXPECT_NEAR(moments.value(kappa, eta), bound.at(kappa), 1e-9 * std::abs(bound.at(kappa)) + 1e-6);
    }
  }
  // The curvature is that of this very function.
  EXPECT_LT((curvature + bound.gram).norm(), 1e-14 * bound.gram.norm());
  EXPECT_LT((bound.root.transpose() * bound.root - bound.gram).norm(), 1e-14 * bound.gram.norm());
}

// kappa is large along the directions in which the rows barely see it: nu stays small, and its squared error
// is a small difference of huge numbers. Never less than it is: the noise would be learned from that.
TEST(GaussianMoments, KeepTheSquaredErrorWhereLargeTermsCancel) {
  const auto features = std::make_shared<IntegratedHarmonics>(4, 0.5);
  RandomStream random(3);
  std::vector<double> x(60), y(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    x[n] = 0.2 * random.uniform();  // a short range: high harmonics are nearly dependent there
    y[n] = x[n] + 0.1 * random.normal();
  }
  GaussianMoments moments(features);
  moments.add(x, y, {}, 1);
  Matrix phi(features->size(), static_cast<Index>(x.size()));
  for (std::size_t n = 0; n < x.size(); ++n) features->evaluate(x[n], phi.col(static_cast<Index>(n)));
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(phi * phi.transpose());
  const Vector eta = Vector::Zero(1);
  const double log_norm = static_cast<double>(x.size()) * std::log(2 * std::numbers::pi) / 2;
  for (int i = 0; i < 40; ++i) {
    Vector kappa = Vector::Zero(phi.rows());
    for (Index k = 0; k < 3; ++k) kappa += 1e7 * random.normal() * eigen.eigenvectors().col(k);
    long double square = 0;
    for (std::size_t n = 0; n < x.size(); ++n) {
      long double miss = y[n];
      for (Index p = 0; p < kappa.size(); ++p)
        miss -= static_cast<long double>(kappa[p]) * phi(p, static_cast<Index>(n));
      square += miss * miss;
    }
    const double found = -2 * (moments.value(kappa, eta) + log_norm);
    const double rounding = static_cast<double>(kappa.size()) * std::numeric_limits<double>::epsilon() *
                            eigen.eigenvalues().maxCoeff() * kappa.squaredNorm();
    EXPECT_GE(found, static_cast<double>(square) - 1e-6 * static_cast<double>(square)) << i;
    EXPECT_LE(found, static_cast<double>(square) + 2 * rounding) << i;
    EXPECT_EQ(moments.gradient(kappa, eta, true).value, moments.value(kappa, eta));
  }
}

TEST(GaussianMoments, OfScaledYAreThoseOfTheScaledRows) {
  const Rows rows(300);
  const auto features = std::make_shared<IntegratedHarmonics>(6, 0.5);
  GaussianMoments raw(features), scaled(features);
  std::vector<double> y(rows.y);
  for (double& v : y) v = (v - 0.4) * -2.5;
  raw.add(rows.x, rows.y, rows.weight, 1);
  scaled.add(rows.x, y, rows.weight, 1);
  const Vector kappa = Vector::LinSpaced(features->size(), -1, 1);
  const Vector eta = Vector::Zero(1);
  const DataDerivatives a = raw.with_y_scaled(0.4, -2.5).derivatives(kappa, eta),
                        b = scaled.derivatives(kappa, eta);
  EXPECT_NEAR(a.value, b.value, 1e-11 * std::abs(b.value));
  EXPECT_LT(relative_difference(a.gradient, b.gradient), 1e-12);
}

TEST(GaussianMoments, MayGrowAfterTheyWereUsedAndLeaveTheirCopies) {
  const Rows rows(300);
  const auto features = std::make_shared<IntegratedHarmonics>(6, 0.5);
  const Vector kappa = Vector::LinSpaced(features->size(), -1, 1);
  const Vector eta = Vector::Zero(1);
  GaussianMoments grown(features), whole(features);
  grown.add(std::span(rows.x).first(100), std::span(rows.y).first(100), {}, 1);
  const double before = grown.value(kappa, eta);
  const GaussianMoments copy = grown;
  grown.add(std::span(rows.x).subspan(100), std::span(rows.y).subspan(100), {}, 1);
  whole.add(rows.x, rows.y, {}, 1);
  EXPECT_NEAR(grown.value(kappa, eta), whole.value(kappa, eta), 1e-10 * std::abs(whole.value(kappa, eta)));
  EXPECT_EQ(copy.value(kappa, eta), before);
}

TEST(PointwiseData, BoundTakesAWeightAsRepetition) {
  const Rows rows(40);
  std::vector<double> y(rows.y), many_x, many_y;
  for (std::size_t n = 0; n < y.size(); ++n) {
    y[n] = y[n] > 0 ? 1 : 0;
    many_x.insert(many_x.end(), static_cast<std::size_t>(rows.weight[n]), rows.x[n]);
    many_y.insert(many_y.end(), static_cast<std::size_t>(rows.weight[n]), y[n]);
  }
  const auto features = std::make_shared<IntegratedHarmonics>(3, 0.5);
  const auto bernoulli = std::make_shared<BernoulliResponse>();
  const PointwiseData weighted(features, bernoulli, rows.x, y, rows.weight, 1);
  const PointwiseData repeated(features, bernoulli, many_x, many_y, {}, 1);
  const Vector kappa = Vector::LinSpaced(features->size(), -1, 1);
  const Matrix covariance = 0.3 * Matrix::Identity(kappa.size(), kappa.size());
  const QuadraticBound a = weighted.quadratic_bound(kappa, covariance, Vector()),
                       b = repeated.quadratic_bound(kappa, covariance, Vector());
  EXPECT_NEAR(a.constant, b.constant, 1e-12 * std::abs(b.constant));
  EXPECT_LT(relative_difference(a.linear, b.linear), 1e-12);
  EXPECT_LT(relative_difference(a.gram, b.gram), 1e-12);
}

TEST(PointwiseData, GradientCurvatureAndThirdDerivativesAreThoseOfTheValue) {
  Rows rows(60);
  for (double& y : rows.y) y = y > 0 ? 1 : 0;
  const auto features = std::make_shared<IntegratedHarmonics>(5, 0.5);
  const PointwiseData data(features, std::make_shared<BernoulliResponse>(), rows.x, rows.y, rows.weight, 1);
  RandomStream random(6);
  const Vector kappa = Vector::NullaryExpr(features->size(), [&] { return random.normal(); });
  const Vector eta;
  const DataDerivatives d = data.derivatives(kappa, eta);
  EXPECT_LT(relative_difference(d.gradient,
                                numeric_gradient([&](const Vector& k) { return data.value(k, eta); }, kappa)),
            1e-9);
  EXPECT_LT(relative_difference(
                d.curvature,
                numeric_jacobian([&](const Vector& k) { return data.derivatives(k, eta).gradient; }, kappa)),
            1e-9);
  const Matrix t = Matrix::Identity(kappa.size(), kappa.size());
  const auto trace = [&](const Vector& k) {
    return data.derivatives(k, eta).curvature.cwiseProduct(t).sum();
  };
  EXPECT_LT(relative_difference(data.third(kappa, eta, t), numeric_gradient(trace, kappa)), 1e-9);
}

}  // namespace
}  // namespace linkgistic

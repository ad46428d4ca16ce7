// The sampler on densities whose moments are known.
#include "numeric/nuts.hpp"

#include <Eigen/LU>
#include <cmath>

#include <gtest/gtest.h>

#include "numeric/chain_diagnostics.hpp"

namespace linkgistic {
namespace {

class Gaussian final : public LogTarget {
 public:
  Gaussian(Vector mean, const Matrix& covariance)
      : mean_(std::move(mean)), precision_(covariance.inverse()) {}
  [[nodiscard]] Index dimension() const override { return mean_.size(); }
  double value_and_gradient(const Vector& x, std::size_t, Vector& gradient) const override {
    gradient = -(precision_ * (x - mean_));
    return gradient.dot(x - mean_) / 2;
  }

 private:
  Vector mean_;
  Matrix precision_;
};

// v ~ N(0, 1), x_i ~ N(0, e^v) for four i.
class Funnel final : public LogTarget {
 public:
  [[nodiscard]] Index dimension() const override { return 5; }
  double value_and_gradient(const Vector& x, std::size_t, Vector& gradient) const override {
    const double v = x[0];
    const double square = x.tail(4).squaredNorm() * std::exp(-v);
    gradient = -x * std::exp(-v);
    gradient[0] = -v + square / 2 - 2;
    return -v * v / 2 - square / 2 - 2 * v;
  }
};

// The density is 0 left of 0, e^-x right of it.
class Exponential final : public LogTarget {
 public:
  [[nodiscard]] Index dimension() const override { return 1; }
  double value_and_gradient(const Vector& x, std::size_t, Vector& gradient) const override {
    gradient = Vector::Constant(1, -1.0);
    return x[0] > 0 ? -x[0] : -INFINITY;
  }
};

// Mean of h over all draws with its standard error.
struct Estimate {
  double mean, error;
};
template <class H>
Estimate estimate(const std::vector<NutsChain>& chains, const H& h) {
  Matrix values(chains.front().draws.cols(), static_cast<Index>(chains.size()));
  for (Index c = 0; c < values.cols(); ++c) {
    for (Index i = 0; i < values.rows(); ++i)
      values(i, c) = h(Vector(chains[static_cast<std::size_t>(c)].draws.col(i)));
  }
  const double mean = values.mean();
  const double variance = (values.array() - mean).square().mean();
  return {mean, std::sqrt(variance / effective_sample_size(values))};
}

// Moments within 4 standard errors, which must themselves be small.
template <class H>
void expect_mean(const std::vector<NutsChain>& chains, const H& h, double truth, double most_error) {
  const Estimate e = estimate(chains, h);
  EXPECT_NEAR(e.mean, truth, 4 * e.error);
  EXPECT_LT(e.error, most_error);
}

TEST(Nuts, HasTheMomentsOfACorrelatedGaussian) {
  const Vector mean{{1, -2, 0, 10}};
  Matrix root(4, 4);
  root << 1, 0, 0, 0, 0.9, 0.1, 0, 0, -3, 1, 20, 0, 0, 0, 5, 0.01;
  const Matrix covariance = root * root.transpose();
  const Gaussian target(mean, covariance);
  NutsOptions options;
  options.seed = 3;
  const auto chains = sample_nuts(target, {{Vector::Zero(4)}, {mean}, {2 * mean}, {-mean}},
                                  {Matrix::Identity(4, 4)}, options);
  for (Index i = 0; i < 4; ++i) {
    const double sd = std::sqrt(covariance(i, i));
    expect_mean(
        chains, [&](const Vector& x) { return x[i]; }, mean[i], 0.05 * sd);
    for (Index j = 0; j <= i; ++j) {
      expect_mean(
          chains, [&](const Vector& x) { return (x[i] - mean[i]) * (x[j] - mean[j]); }, covariance(i, j),
          0.1 * sd * std::sqrt(covariance(j, j)));
    }
  }
  for (const NutsChain& c : chains) {
    EXPECT_EQ(c.divergences, 0);
    EXPECT_NEAR(c.acceptance, 0.85, 0.12);  // a little above the target after a short warm-up
    EXPECT_LT(c.mean_depth, 4);  // the metric was learned: the covariance has a condition number of 1e7
  }
}

TEST(Nuts, HasTheMomentsOfAFunnel) {
  NutsOptions options;
  options.draws = 3000;
  options.target_acceptance = 0.9;
  const auto chains =
      sample_nuts(Funnel(), std::vector<NutsStart>(4, {Vector::Ones(5)}), {Matrix::Identity(5, 5)}, options);
  expect_mean(
      chains, [](const Vector& x) { return x[0]; }, 0, 0.08);
  expect_mean(
      chains, [](const Vector& x) { return x[0] * x[0]; }, 1, 0.12);
  expect_mean(
      chains, [](const Vector& x) { return x[1]; }, 0, 0.05);
  expect_mean(
      chains, [](const Vector& x) { return x[1] * x[1]; }, std::exp(0.5), 0.2);
}

TEST(Nuts, StaysWhereTheDensityIsPositiveAndCountsPathsThatLeftAsDivergent) {
  NutsOptions options;
  options.draws = 4000;
  options.target_acceptance = 0.95;
  const auto chains = sample_nuts(Exponential(), std::vector<NutsStart>(4, {Vector::Ones(1)}),
                                  {Matrix::Identity(1, 1)}, options);
  for (const NutsChain& c : chains) {
    EXPECT_GT(c.draws.minCoeff(), 0);
    EXPECT_GT(c.divergences, 0);
  }
  expect_mean(
      chains, [](const Vector& x) { return x[0]; }, 1, 0.05);
}

TEST(Nuts, DrawsTheSameForAnyNumberOfThreads) {
  NutsOptions options;
  options.warmup = 60;
  options.draws = 40;
  options.threads = 1;
  const std::vector<NutsStart> starts(3, {Vector::Ones(5)});
  const auto one = sample_nuts(Funnel(), starts, {Matrix::Identity(5, 5)}, options);
  options.threads = 3;
  const auto three = sample_nuts(Funnel(), starts, {Matrix::Identity(5, 5)}, options);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(one[c].draws, three[c].draws);
  EXPECT_NE(one[0].draws, one[1].draws);
}

}  // namespace
}  // namespace linkgistic

// The sampler on densities whose moments are known.
#include "numeric/nuts.hpp"

#include <Eigen/LU>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/chain_diagnostics.hpp"
#include "numeric/dual_averaging.hpp"

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

// A standard normal whose gradient is no number right of 1, and whose every path begins with a jump.
class Broken final : public LogTarget {
 public:
  [[nodiscard]] Index dimension() const override { return 1; }
  double value_and_gradient(const Vector& x, std::size_t, Vector& gradient) const override {
    gradient = Vector::Constant(1, x[0] > 1 ? std::nan("") : -x[0]);
    return -x[0] * x[0] / 2;
  }
  bool jump(TargetPoint&, RandomStream&) const override { return true; }
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
  options.seed = 1;
  const auto other = sample_nuts(Funnel(), starts, {Matrix::Identity(5, 5)}, options);
  EXPECT_NE(one[0].draws, other[0].draws);
}

// Of the averaged steps, a little more than asked for where few steps are taken.
TEST(Nuts, HasAboutTheAcceptanceThatIsAskedFor) {
  const Gaussian target(Vector::Zero(10), Matrix::Identity(10, 10));
  for (const double asked : {0.6, 0.95}) {
    NutsOptions options;
    options.target_acceptance = asked;
    double mean = 0;
    for (const NutsChain& c : sample_nuts(target, std::vector<NutsStart>(4, {Vector::Zero(10)}),
                                          {Matrix::Identity(10, 10)}, options)) {
      mean += c.acceptance / 4;
    }
    EXPECT_GT(mean, asked - 0.05);
    EXPECT_LT(mean, asked + (1 - asked) / 2);
  }
}

TEST(Nuts, CountsPathsThatWereCutOffAndJumpsOfTheDrawsAlone) {
  NutsOptions options;
  options.warmup = 0;
  options.draws = 200;
  options.max_depth = 2;
  // Steps suit the narrow coordinate, and the wide one is a thousand of them across.
  const Matrix covariance = Vector{{1, 1e6}}.asDiagonal();
  const auto wide = sample_nuts(Gaussian(Vector::Zero(2), covariance), {{Vector::Ones(2)}},
                                {Matrix::Identity(2, 2)}, options);
  EXPECT_GT(wide[0].deepest_paths, 150);
  EXPECT_EQ(wide[0].jumps, 0);
  options.warmup = 100;
  const auto jumping = sample_nuts(Broken(), {{Vector::Zero(1)}}, {Matrix::Identity(1, 1)}, options);
  EXPECT_EQ(jumping[0].jumps, options.draws);
}

TEST(Nuts, TakesAGradientThatIsNoNumberForTheEndOfTheDensity) {
  NutsOptions options;
  const auto chains = sample_nuts(Broken(), {{Vector::Zero(1)}}, {Matrix::Identity(1, 1)}, options);
  EXPECT_LE(chains[0].draws.maxCoeff(), 1);
  EXPECT_GT(chains[0].divergences, 0);
  EXPECT_THROW(sample_nuts(Broken(), {{Vector::Constant(1, 2.0)}}, {Matrix::Identity(1, 1)}, options),
               InputError);
}

TEST(Nuts, StopsWithinSixteenDrawsInTheWarmUpAndAfterIt) {
  for (const int allowed : {20, 160}) {
    NutsOptions options;
    options.warmup = 100;
    options.draws = 200;
    options.threads = 1;
    int told = 0;
    options.on_draw = [&] { ++told; };
    options.stop = [&] { return told >= allowed; };
    EXPECT_THROW(sample_nuts(Funnel(), {{Vector::Ones(5)}}, {Matrix::Identity(5, 5)}, options), Interrupted);
    EXPECT_LT(told, allowed + 16);
  }
}

// A recall that forgets everything from its n-th new answer on is a program that was killed there.
TEST(Nuts, ThatResumesHasTheSameDrawsAndMakesOnlyThoseThatAreNotKnown) {
  NutsOptions options;
  options.warmup = 60;
  options.draws = 600;
  const std::vector<NutsStart> starts(3, {Vector::Ones(5)});
  const auto sampled = [&] { return sample_nuts(Funnel(), starts, {Matrix::Identity(5, 5)}, options); };
  const auto whole = sampled();
  struct Killed {};
  std::map<std::string, std::string, std::less<>> known;
  std::mutex mutex;
  std::atomic<int> left = 0, told = 0;
  options.recall = [&](std::string_view question, const std::function<std::string()>& work) {
    {
      const std::lock_guard lock(mutex);
      if (const auto found = known.find(question); found != known.end()) return found->second;
    }
    if (--left < 0) throw Killed();
    std::string answer = work();
    const std::lock_guard lock(mutex);
    return known[std::string(question)] = answer;
  };
  options.on_draw = [&] { ++told; };
  int runs = 0;
  std::vector<NutsChain> resumed;
  while (resumed.empty() && runs < 100) {
    left = 2;
    told = 0;
    options.threads = 1 + runs++ % 3;
    try {
      resumed = sampled();
    } catch (const Killed&) {
    }
  }
  EXPECT_EQ(known.size(), 3 * (4 + 3));  // four phases, and 600 draws in batches of 250
  EXPECT_EQ(runs, 11);
  EXPECT_EQ(told, 3 * 660);
  for (std::size_t c = 0; c < starts.size(); ++c) {
    EXPECT_EQ(resumed[c].draws, whole[c].draws);
    EXPECT_EQ(resumed[c].log_density, whole[c].log_density);
    EXPECT_EQ(resumed[c].labels, whole[c].labels);
    EXPECT_EQ(resumed[c].acceptance, whole[c].acceptance);
    EXPECT_EQ(resumed[c].mean_depth, whole[c].mean_depth);
    EXPECT_EQ(resumed[c].step, whole[c].step);
    EXPECT_EQ(resumed[c].gradients, whole[c].gradients);
    EXPECT_EQ(resumed[c].divergences, whole[c].divergences);
  }
}

// With e = target - acceptance held, the mean error after n updates is n e/(n + 10), and the final step is
// the mean of the log steps with weights m^-0.75 prod_{j > m} (1 - j^-0.75).
TEST(DualAveraging, OfAConstantAcceptanceHasItsClosedForm) {
  for (const double acceptance : {0.5, 0.9}) {
    DualAveraging averaging(0.3, 0.8);
    for (int n = 1; n <= 40; ++n) {
      averaging.update(acceptance);
      const auto log_step = [&](double m) {
        return std::log(3.0) - std::sqrt(m) / 0.05 * m * (0.8 - acceptance) / (m + 10);
      };
      EXPECT_NEAR(std::log(averaging.step()), log_step(n), 1e-12 * n);
      double mean = 0;
      for (int m = 1; m <= n; ++m) {
        double weight = std::pow(m, -0.75);
        for (int j = m + 1; j <= n; ++j) weight *= 1 - std::pow(j, -0.75);
        mean += weight * log_step(m);
      }
      EXPECT_NEAR(std::log(averaging.final_step()), mean, 1e-12 * n);
    }
  }
}

}  // namespace
}  // namespace linkgistic

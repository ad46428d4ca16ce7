#include "numeric/exponential_kernels.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr double eps = 2.3e-16;

std::vector<double> random_values(std::size_t n, std::uint64_t seed, double scale) {
  RandomStream random(seed);
  std::vector<double> values(n);
  for (double& v : values) v = scale * (2 * random.uniform() - 1);
  return values;
}

TEST(ExponentialSums, EqualPlainSumsInLongDoubleOnOddSizes) {
  for (const std::size_t n : {0UL, 1UL, 7UL, 31UL, 33UL, 4095UL, 4097UL, 10001UL}) {
    SCOPED_TRACE(n);
    const auto theta = random_values(n, 1, std::numbers::pi);
    const auto a = random_values(n, 2, 1), b = random_values(n, 3, 1), c = random_values(n, 4, 1);
    const ExponentialChannel channels[] = {{a, 130}, {b, 64}, {c, 5}};
    const auto sums = exponential_sums(theta, channels, 1);
    const std::vector<double>* weights[] = {&a, &b, &c};
    for (std::size_t ch = 0; ch < 3; ++ch) {
      ASSERT_EQ(sums[ch].cosine.size(), static_cast<std::size_t>(channels[ch].degree) + 1);
      for (std::size_t j = 0; j < sums[ch].cosine.size(); ++j) {
        long double re = 0, im = 0, size = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const long double angle = static_cast<long double>(j) * theta[i];
          re += (*weights[ch])[i] * std::cos(angle);
          im += (*weights[ch])[i] * std::sin(angle);
          size += std::abs((*weights[ch])[i]);
        }
        // Two (j + 2) eps a term, as the header says; the sum itself adds a little.
        const double bound = (2 * (static_cast<double>(j) + 2) + 8) * eps * static_cast<double>(size);
        EXPECT_NEAR(sums[ch].cosine[j], static_cast<double>(re), bound);
        EXPECT_NEAR(sums[ch].sine[j], static_cast<double>(im), bound);
      }
    }
  }
}

TEST(ExponentialSums, AreTheSameBitsForAnyNumberOfThreads) {
  const auto theta = random_values(50000, 5, 3);
  const auto a = random_values(50000, 6, 1), b = random_values(50000, 7, 1);
  const ExponentialChannel channels[] = {{a, 40}, {b, 40}};
  const auto one = exponential_sums(theta, channels, 1);
  for (const int threads : {2, 3, 8}) {
    const auto many = exponential_sums(theta, channels, threads);
    for (std::size_t ch = 0; ch < 2; ++ch) {
      EXPECT_EQ(one[ch].cosine, many[ch].cosine);
      EXPECT_EQ(one[ch].sine, many[ch].sine);
    }
  }
}

TEST(EvaluateExponentials, IsTheAdjointOfTheSums) {
  const std::size_t n = 1234;
  const int degree = 77;
  const auto theta = random_values(n, 8, 3);
  const auto w = random_values(n, 9, 1);
  auto cosine = random_values(degree + 1, 10, 1), sine = random_values(degree + 1, 11, 1);
  const ExponentialChannel channel{w, degree};
  const auto sums = exponential_sums(theta, {&channel, 1}, 1)[0];
  std::vector<double> out(n);
  evaluate_exponentials(theta, cosine, sine, 2, out);
  double left = 0, right = 0;
  for (std::size_t i = 0; i < n; ++i) left += w[i] * out[i];
  for (std::size_t j = 0; j <= static_cast<std::size_t>(degree); ++j) {
    right += cosine[j] * sums.cosine[j] + sine[j] * sums.sine[j];
  }
  EXPECT_NEAR(left, right, 1e-11 * std::abs(left) + 1e-11);
}

TEST(EvaluateIntegrated, KeepsItsRelativeAccuracyAtTinyAngles) {
  std::vector<double> c(33), s(33);
  for (std::size_t j = 1; j < 33; ++j) s[j] = 1.0 / static_cast<double>(j);
  for (const double theta : {1e-12, -1e-9, 1e-6, 1e-3, 0.7}) {
    std::vector<double> out(1);
    evaluate_integrated(std::vector<double>{theta}, c, s, 1, out);
    long double expected = 0;
    for (std::size_t j = 1; j < 33; ++j) {
      const long double half = std::sin(static_cast<long double>(j) * theta / 2);
      expected += 2 * half * half / static_cast<long double>(j);
    }
    EXPECT_NEAR(out[0], static_cast<double>(expected), 1e-13 * static_cast<double>(expected));
  }
}

TEST(EvaluateIntegrated, EqualsThePlainSeries) {
  const auto theta = random_values(777, 12, 3);
  const auto c = random_values(65, 13, 1), s = random_values(65, 14, 1);
  std::vector<double> out(theta.size());
  evaluate_integrated(theta, c, s, 2, out);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    double expected = 0;
    for (std::size_t j = 1; j < c.size(); ++j) {
      const double angle = static_cast<double>(j) * theta[i];
      expected += c[j] * std::sin(angle) + s[j] * (1 - std::cos(angle));
    }
    EXPECT_NEAR(out[i], expected, 1e-12);
  }
}

TEST(ExponentialSums, RefuseChannelsOfIncreasingDegree) {
  const std::vector<double> one{1.0};
  const ExponentialChannel channels[] = {{one, 2}, {one, 3}};
  EXPECT_THROW(exponential_sums(one, channels, 1), std::logic_error);
}

}  // namespace
}  // namespace linkgistic

// R-hat, effective sample sizes and the Pareto fit against ArviZ 0.23.4: tests/reference/chain_diagnostics.py
// prints the values.
#include "numeric/chain_diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "numeric/pareto.hpp"
#include "numeric/quantile.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

std::vector<double> lcg(std::size_t count) {
  std::uint64_t s = 1;
  std::vector<double> u(count);
  for (double& value : u) {
    s = (1103515245 * s + 12345) % (std::uint64_t{1} << 31);
    value = (static_cast<double>(s) + 0.5) / 2147483648.0;
  }
  return u;
}

struct Case {
  double correlation, shift;
  bool ties;
  double r_hat, bulk, tail;
};

Matrix chains(const Case& c) {
  const auto u = lcg(std::size_t{4} * 201);
  Matrix x(201, 4);
  for (Index j = 0; j < 4; ++j) {
    double last = 0;
    for (Index i = 0; i < 201; ++i) {
      last = c.correlation * last + u[static_cast<std::size_t>(201 * j + i)] - 0.5;
      x(i, j) = last + static_cast<double>(j) * c.shift;
    }
  }
  if (c.ties) x = (x * 8).array().floor() / 8;
  return x;
}

TEST(ChainDiagnostics, AreThoseOfArviz) {
  const Case cases[] = {
      {0.0, 0.0, false, 1.00280549321295, 680.137930956531, 768.101828606628},
      {0.7, 0.0, false, 1.03506155442794, 147.93352054328, 285.476243014703},
      {-0.5, 0.0, false, 0.998915921517235, 2284.48630175223, 742.201734352483},
      {0.5, 0.3, false, 1.50569976661879, 7.68993748862547, 72.475618985457},
      {0.7, 0.1, true, 1.11473489655833, 26.3962364057014, 247.827731787267},
  };
  for (const Case& c : cases) {
    const ChainDiagnostics d = diagnose_chains(chains(c));
    EXPECT_NEAR(d.r_hat, c.r_hat, 1e-11 * c.r_hat) << c.correlation << ' ' << c.ties;
    EXPECT_NEAR(d.bulk_ess, c.bulk, 1e-9 * c.bulk) << c.correlation << ' ' << c.ties;
    EXPECT_NEAR(d.tail_ess, c.tail, 1e-9 * c.tail) << c.correlation << ' ' << c.ties;
  }
}

TEST(ChainDiagnostics, OfAConstantAndOfValuesThatAreNotFinite) {
  const ChainDiagnostics same = diagnose_chains(Matrix::Constant(50, 4, 3.0));
  EXPECT_EQ(same.r_hat, 1);
  EXPECT_EQ(same.bulk_ess, 200);
  Matrix bad = Matrix::Zero(50, 4);
  bad(3, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isinf(diagnose_chains(bad).r_hat));
}

TEST(ChainDiagnostics, EffectiveDrawsOfAlternatingChainsAreAtMostTheirNumberTimesItsLogarithm) {
  const auto u = lcg(800);
  Matrix x(200, 4);
  for (Index i = 0; i < x.size(); ++i)
    x.data()[i] = (i % 2 == 0 ? 1 : -1) + 0.01 * u[static_cast<std::size_t>(i)];
  EXPECT_NEAR(effective_sample_size(x), 800 * std::log10(800.0), 1e-9);
}

TEST(Pareto, FitAndTailShapeAreThoseOfArviz) {
  struct {
    double shape, k, sigma, tail;
  } const cases[] = {{0.2, 0.112930666791255, 1.10200664780276, 0.0826864319153202},
                     {0.5, 0.393247005145988, 1.11956617832804, 0.314493709504435},
                     {0.9, 0.768712745148201, 1.14126562048972, 0.635632415045274}};
  for (const auto& c : cases) {
    std::vector<double> x, log_ratio;
    for (const double u : lcg(500)) {
      x.push_back((std::pow(u, -c.shape) - 1) / c.shape);
      log_ratio.push_back(-c.shape * std::log(u));
    }
    std::sort(x.begin(), x.end());
    const GeneralisedPareto fit = fit_generalised_pareto(x);
    EXPECT_NEAR(fit.shape, c.k, 1e-11);
    EXPECT_NEAR(fit.scale, c.sigma, 1e-11);
    EXPECT_NEAR(pareto_shape(log_ratio), c.tail, 1e-10);
  }
}

TEST(Pareto, ShapeIsInfiniteWhereRatiosAreAllEqualOrNotNumbers) {
  EXPECT_TRUE(std::isinf(pareto_shape(std::vector<double>(100, 2.0))));
  std::vector<double> bad(100, 0.0);
  bad[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isinf(pareto_shape(bad)));
}

TEST(Pareto, ShapeIsInfiniteWhereFewerThanFiveRatiosMakeTheTail) {
  const auto shape_of = [](std::size_t count) {
    std::vector<double> log_ratio;
    for (const double u : lcg(count)) log_ratio.push_back(-0.3 * std::log(u));
    return pareto_shape(log_ratio);
  };
  EXPECT_TRUE(std::isinf(shape_of(20)));
  EXPECT_TRUE(std::isfinite(shape_of(21)));
  // One ratio beside which all others are 0 to rounding.
  std::vector<double> alone{0};
  for (int i = 0; i < 99; ++i) alone.push_back(-1500 - i);
  EXPECT_TRUE(std::isinf(pareto_shape(alone)));
}

TEST(Quantile, IsLinearBetweenOrderStatistics) {
  std::vector<double> v{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(v, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(v, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(v, 0.7), 3.5);  // (4 + 1) 0.7: between the third and the fourth
  EXPECT_DOUBLE_EQ(quantile(v, 0.9), 4);
  EXPECT_DOUBLE_EQ(quantile(v, 1), 4);
  std::vector<double> one{7};
  EXPECT_EQ(quantile(one, 0.05), 7);
}

// One more uniform number is between two with the probability that is their distance.
TEST(Quantile, OfDrawsHoldsTheNextDrawAsOftenAsTheLevelsSay) {
  RandomStream random(5);
  for (const std::size_t n : {19U, 50U}) {
    constexpr int trials = 20000;
    double inside = 0;
    std::vector<double> v(n);
    for (int t = 0; t < trials; ++t) {
      for (double& value : v) value = random.uniform();
      inside += quantile(v, 0.95) - quantile(v, 0.05);
    }
    EXPECT_NEAR(inside / trials, 0.9, 0.003) << n;  // its standard error is at most 0.0005
  }
}

}  // namespace
}  // namespace linkgistic

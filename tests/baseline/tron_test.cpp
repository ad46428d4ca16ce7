// The Trons against plain loops, and what each of them promises.
#include "baseline/tron.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "baseline/lipschitz_isotonic.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"
#include "numeric/types.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t columns = 3;

struct Problem {
  std::vector<double> x;  // (N, columns)
  std::vector<std::uint8_t> y;
  std::vector<double> w;
  [[nodiscard]] FeatureRows rows() const { return FeatureRows::dense(x, y.size(), columns); }
};

// Labels with a steep right and a shallow left half of the link; values on a grid of quarters, so that rows
// tie.
Problem asymmetric(std::size_t n, std::uint64_t seed) {
  RandomStream random(seed);
  Problem p;
  for (std::size_t i = 0; i < n; ++i) {
    double score = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = std::round(4 * random.normal()) / 4 + 2.0 * static_cast<double>(j);
      p.x.push_back(value);
      score += (j == 1 ? -1.0 : 1.0) * (value - 2.0 * static_cast<double>(j));
    }
    p.y.push_back(random.uniform() < sigmoid(score > 0 ? 3 * score : 0.4 * score));
    p.w.push_back(static_cast<double>(1 + i % 3));
  }
  return p;
}

// Rows centred by the weighted mean.
Matrix centred(const Problem& p) {
  const auto n = static_cast<Index>(p.y.size());
  Matrix x(n, static_cast<Index>(columns));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < x.cols(); ++j) x(i, j) = p.x[static_cast<std::size_t>(i * x.cols() + j)];
  const Vector w = Eigen::Map<const Vector>(p.w.data(), n);
  x.rowwise() -= (w.transpose() * x / w.sum()).eval().row(0);
  return x;
}

// min over j >= i of max over k <= i of the mean of rows k..j: isotonic regression by its definition.
std::vector<double> slow_isotonic(const std::vector<double>& y, const std::vector<double>& w) {
  const std::size_t n = y.size();
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t j = i; j < n; ++j) {
      double highest = -std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k <= i; ++k) {
        double sum = 0, weight = 0;
        for (std::size_t r = k; r <= j; ++r) {
          sum += w[r] * y[r];
          weight += w[r];
        }
        highest = std::max(highest, sum / weight);
      }
      lowest = std::min(lowest, highest);
    }
    v[i] = lowest;
  }
  return v;
}

// u at every row after a fit to scores z, ties merged.
Vector slow_link(TronKind kind, const Vector& z, const Problem& p, const SlopeBounds& bounds) {
  std::vector<double> at(z.begin(), z.end());
  std::sort(at.begin(), at.end());
  // Scores that differ by rounding alone are ties of the rows.
  at.erase(std::unique(at.begin(), at.end(), [](double a, double b) { return std::abs(a - b) < 1e-6; }),
           at.end());
  std::vector<double> y(at.size()), w(at.size());
  const auto place = [&](double value) {
    return static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), value - 1e-6) - at.begin());
  };
  for (Index i = 0; i < z.size(); ++i) {
    y[place(z[i])] += p.w[static_cast<std::size_t>(i)] * p.y[static_cast<std::size_t>(i)];
    w[place(z[i])] += p.w[static_cast<std::size_t>(i)];
  }
  for (std::size_t k = 0; k < at.size(); ++k) y[k] /= w[k];
  const LipschitzOptions one{0, 1};
  const LipschitzOptions both{bounds.lower, bounds.upper, 0, 1};
  const std::vector<double> v = kind == TronKind::isotron     ? slow_isotonic(y, w)
                                : kind == TronKind::slisotron ? lipschitz_isotonic(at, y, w, one)
                                                              : lipschitz_isotonic(at, y, w, both);
  Vector u(z.size());
  for (Index i = 0; i < z.size(); ++i) u[i] = v[place(z[i])];
  return u;
}

class EveryTron : public testing::TestWithParam<TronKind> {};
// Those whose link is known or fitted to the labels; the others are compared where theirs stays logistic.
class PlainTron : public testing::TestWithParam<TronKind> {};

TEST_P(PlainTron, IteratesLikeAPlainLoop) {
  const TronKind kind = GetParam();
  const Problem p = asymmetric(80, 1);
  Matrix x = centred(p);
  const Vector weight = Eigen::Map<const Vector>(p.w.data(), x.rows());
  TronOptions options;
  options.kind = kind;
  options.hold_out = 0;
  options.iterations = 0;
  x *= fit_tron(p.rows(), p.y, p.w, options).scale.scale_of(0);
  Vector w = Vector::Zero(x.cols());
  double b = 0;
  for (int t = 0; t <= 6; ++t) {
    options.iterations = t;
    const TronFit fit = fit_tron(p.rows(), p.y, p.w, options);
    const Vector z = (x * w).array() + b;
    const bool logistic = kind == TronKind::glmtron || (t == 0 && kind == TronKind::bregmantron_label);
    const Vector u = logistic ? Vector(z.unaryExpr([](double s) { return sigmoid(4 * s); }))
                              : slow_link(kind, z, p, options.slopes);
    double error = 0;
    Vector residual(z.size());
    for (Index i = 0; i < z.size(); ++i) {
      residual[i] = p.y[static_cast<std::size_t>(i)] - u[i];
      error += weight[i] * residual[i] * residual[i] / weight.sum();
    }
    ASSERT_EQ(fit.trace.size(), static_cast<std::size_t>(t) + 1);
    EXPECT_NEAR(fit.trace.back().train_error, error, 2e-5) << t;
    if (fit.best == t) {
      EXPECT_NEAR(fit.beta[0], b, 2e-4);
      for (Index j = 0; j < w.size(); ++j)
        EXPECT_NEAR(fit.beta[static_cast<std::size_t>(j) + 1], w[j], 2e-4) << t;
    }
    w += x.transpose() * weight.cwiseProduct(residual) / weight.sum();
    b += weight.dot(residual) / weight.sum();
  }
}

TEST_P(EveryTron, LearnsAnIncreasingLinkWithLessErrorThanItBeganWith) {
  const Problem p = asymmetric(3000, 2);
  TronOptions options;
  options.kind = GetParam();
  const TronFit fit = fit_tron(p.rows(), p.y, {}, options);
  EXPECT_LT(fit.trace[static_cast<std::size_t>(fit.best)].held_error, 0.8 * fit.trace.front().held_error);
  double last = 0;
  for (double z = -5; z < 5; z += 0.01) {
    const double u = fit.link(z);
    EXPECT_GE(u, last);
    EXPECT_LE(u, 1);
    last = u;
  }
}

TEST_P(EveryTron, TakesAWeightOfTwoForTheRowTwiceAndZeroForNoRow) {
  Problem p = asymmetric(200, 3);
  Problem repeated;
  for (std::size_t i = 0; i < p.y.size(); ++i) {
    p.w[i] = static_cast<double>(i % 3);
    for (std::size_t r = 0; r < i % 3; ++r) {
      repeated.y.push_back(p.y[i]);
      for (std::size_t j = 0; j < columns; ++j) repeated.x.push_back(p.x[i * columns + j]);
    }
  }
  TronOptions options;
  options.kind = GetParam();
  options.hold_out = 0;
  options.iterations = 20;
  const TronFit a = fit_tron(p.rows(), p.y, p.w, options);
  const TronFit b = fit_tron(repeated.rows(), repeated.y, {}, options);
  EXPECT_NEAR(a.trace.back().train_error, b.trace.back().train_error, 1e-4);
  const auto pa = a.predict(repeated.rows());
  const auto pb = b.predict(repeated.rows());
  double mean = 0;
  for (std::size_t i = 0; i < pa.size(); ++i)
    mean += std::abs(pa[i] - pb[i]) / static_cast<double>(pa.size());
  EXPECT_LT(mean, 2e-3);
}

TEST_P(EveryTron, HasTheSameBitsOnOneAndTwoThreads) {
  const Problem p = asymmetric(5000, 4);
  TronOptions options;
  options.kind = GetParam();
  options.iterations = 5;
  options.threads = 1;
  const TronFit one = fit_tron(p.rows(), p.y, {}, options);
  options.threads = 2;
  const TronFit two = fit_tron(p.rows(), p.y, {}, options);
  EXPECT_EQ(one.beta, two.beta);
  EXPECT_EQ(one.predict(p.rows(), 1), two.predict(p.rows(), 2));
}

TEST_P(EveryTron, HoldsWithOneClassConstantColumnsAndNoIterations) {
  Problem p = asymmetric(60, 5);
  TronOptions options;
  options.kind = GetParam();
  options.iterations = 5;
  std::fill(p.y.begin(), p.y.end(), std::uint8_t{1});
  for (const double u : fit_tron(p.rows(), p.y, {}, options).predict(p.rows())) EXPECT_GT(u, 0.8);
  p = asymmetric(60, 5);
  std::fill(p.x.begin(), p.x.end(), 3.0);
  const TronFit flat = fit_tron(p.rows(), p.y, {}, options);
  for (const double u : flat.predict(p.rows())) EXPECT_TRUE(u >= 0 && u <= 1);
  options.iterations = 0;
  EXPECT_EQ(fit_tron(p.rows(), p.y, {}, options).trace.size(), 1U);
}

std::string kind_name(const testing::TestParamInfo<TronKind>& kind) {
  return std::string(to_string(kind.param));
}

INSTANTIATE_TEST_SUITE_P(Kinds, PlainTron,
                         testing::Values(TronKind::glmtron, TronKind::isotron, TronKind::slisotron,
                                         TronKind::bregmantron_label),
                         kind_name);
INSTANTIATE_TEST_SUITE_P(Kinds, EveryTron,
                         testing::Values(TronKind::glmtron, TronKind::isotron, TronKind::slisotron,
                                         TronKind::bregmantron, TronKind::bregmantron_label),
                         kind_name);

TEST(GlmTron, FindsTheCoefficientsThatMadeTheLabels) {
  // Each x once with label 1 and weight p(x), once with label 0 and weight 1 - p(x): the truth fits exactly.
  RandomStream random(6);
  Problem p;
  const double truth[] = {0.3, 1.0, -0.5, 0.25};
  for (int i = 0; i < 400; ++i) {
    double t = truth[0];
    double row[columns];
    for (std::size_t j = 0; j < columns; ++j) t += truth[j + 1] * (row[j] = random.normal());
    for (const int y : {0, 1}) {
      p.x.insert(p.x.end(), row, row + columns);
      p.y.push_back(static_cast<std::uint8_t>(y));
      p.w.push_back(y == 1 ? sigmoid(t) : sigmoid(-t));
    }
  }
  TronOptions options;
  options.iterations = 2000;
  options.hold_out = 0;
  const TronFit fit = fit_tron(p.rows(), p.y, p.w, options);
  std::vector<double> log_odds = fit.scale.to_raw(fit.beta);
  for (std::size_t j = 0; j <= columns; ++j) EXPECT_NEAR(4 * log_odds[j], truth[j], 2e-3);
}

TEST(SlIsotron, HasSlopesOfAtMostOne) {
  const Problem p = asymmetric(2000, 7);
  TronOptions options;
  options.kind = TronKind::slisotron;
  const TronFit fit = fit_tron(p.rows(), p.y, {}, options);
  const auto knots = fit.link.curve().knots();
  const auto values = fit.link.curve().values();
  for (std::size_t i = 1; i < knots.size(); ++i) {
    EXPECT_GE(values[i] - values[i - 1], -1e-15);
    EXPECT_LE(values[i] - values[i - 1], knots[i] - knots[i - 1] + 1e-15);
  }
}

TEST(BregmanTron, HasSlopesBetweenItsBounds) {
  const Problem p = asymmetric(2000, 8);
  for (const TronKind kind : {TronKind::bregmantron, TronKind::bregmantron_label}) {
    TronOptions options;
    options.kind = kind;
    options.slopes = {0.05, 0.7};
    const TronFit fit = fit_tron(p.rows(), p.y, {}, options);
    ASSERT_GT(fit.best, 0);
    const double lower = fit.trace[static_cast<std::size_t>(fit.best)].lower_slope;
    EXPECT_GT(lower, 0);
    EXPECT_LE(lower, 0.05);
    const auto knots = fit.link.curve().knots();
    const auto values = fit.link.curve().values();
    EXPECT_GE(values.front(), -1e-15);
    EXPECT_LE(values.back(), 1 + 1e-12);
    for (std::size_t i = 1; i < knots.size(); ++i) {
      const double step = knots[i] - knots[i - 1];
      EXPECT_GE(values[i] - values[i - 1], lower * step - 1e-14);
      EXPECT_LE(values[i] - values[i - 1], 0.7 * step + 1e-14);
    }
  }
}

TEST(BregmanTron, IsGlmTronWhereItsBoundsLeaveTheLogisticLinkAlone) {
  const Problem p = asymmetric(500, 9);
  TronOptions options;
  options.iterations = 15;
  options.hold_out = 0;
  const TronFit glm = fit_tron(p.rows(), p.y, {}, options);
  options.slopes = {1e-9, 1.0};
  options.kind = TronKind::bregmantron;
  const TronFit fit = fit_tron(p.rows(), p.y, {}, options);
  // Between its knots the link is the chord of the curve: the difference falls with their distance.
  for (std::size_t t = 0; t < 15; ++t) EXPECT_NEAR(fit.trace[t].train_error, glm.trace[t].train_error, 2e-4);
}

TEST(Trons, SeeTheSameRowsInBytesNumbersAndSparseStorage) {
  RandomStream random(10);
  const std::size_t n = 300;
  std::vector<std::uint8_t> bytes;
  std::vector<float> values, entries;
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> column;
  std::vector<std::uint8_t> y;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      const auto value = static_cast<std::uint8_t>(random.uniform() < 0.5 ? 0 : 255 * random.uniform());
      bytes.push_back(value);
      values.push_back(static_cast<float>(value));
      if (value == 0) continue;
      entries.push_back(static_cast<float>(value));
      column.push_back(static_cast<std::int32_t>(j));
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
    y.push_back(random.uniform() < sigmoid((values[5 * i] - values[5 * i + 3]) / 50.0));
  }
  const FeatureRows as_bytes = FeatureRows::bytes(bytes, n, 5);
  const FeatureRows as_numbers = FeatureRows::dense(values, n, 5);
  const FeatureRows as_sparse = FeatureRows::sparse(n, 5, start, column, entries);
  const TronFit a = fit_tron(as_bytes, y, {}, {});
  for (const FeatureRows* rows : {&as_numbers, &as_sparse}) {
    const TronFit b = fit_tron(*rows, y, {}, {});
    EXPECT_EQ(a.best, b.best);
    for (std::size_t j = 0; j < a.beta.size(); ++j) EXPECT_NEAR(a.beta[j], b.beta[j], 1e-4);
    const auto pa = a.predict(as_bytes);
    const auto pb = b.predict(as_bytes);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(pa[i], pb[i], 1e-4);
  }
}

TEST(Trons, HaveAUnitEigenvalueWhereTheStepAllowsIt) {
  const Problem p = asymmetric(200, 14);
  const Matrix x = centred(p);
  const Vector w = Eigen::Map<const Vector>(p.w.data(), x.rows());
  const Matrix second = x.transpose() * w.asDiagonal() * x / w.sum();
  const double largest = Eigen::SelfAdjointEigenSolver<Matrix>(second).eigenvalues().maxCoeff();
  const TronFit fit = fit_tron(p.rows(), p.y, p.w, {});
  // Power iteration is near the largest eigenvalue, and never above.
  const double scaled = largest * fit.scale.scale_of(0) * fit.scale.scale_of(0);
  EXPECT_GE(scaled, 1 - 1e-5);
  EXPECT_LE(scaled, 1.1);
}

TEST(Trons, HaveRowsOfAtMostUnitLengthWhereTheTheoryAsksForIt) {
  const Problem p = asymmetric(200, 11);
  TronOptions options;
  options.scaling = TronScaling::largest_row;
  const TronFit fit = fit_tron(p.rows(), p.y, {}, options);
  double largest = 0;
  for (std::size_t i = 0; i < p.y.size(); ++i) {
    double square = 0;
    for (std::size_t j = 0; j < columns; ++j)
      square += std::pow((p.x[i * columns + j] - fit.scale.shift_of(j)) * fit.scale.scale_of(j), 2);
    largest = std::max(largest, square);
  }
  EXPECT_NEAR(largest, 1, 1e-6);
}

TEST(Trons, StopWhenAskedAndWhenNothingMoves) {
  const Problem p = asymmetric(100, 12);
  TronOptions options;
  options.stop = [] { return true; };
  EXPECT_EQ(fit_tron(p.rows(), p.y, {}, options).stop, TronStop::interrupted);
  options.stop = nullptr;
  options.tolerance = 1e-2;
  options.iterations = 5000;
  const TronFit fit = fit_tron(p.rows(), p.y, {}, options);
  EXPECT_EQ(fit.stop, TronStop::converged);
  EXPECT_LT(fit.trace.size(), 5000U);
}

TEST(Trons, RefuseWhatCannotBe) {
  const Problem p = asymmetric(20, 13);
  TronOptions options;
  options.step = 0;
  EXPECT_THROW(fit_tron(p.rows(), p.y, {}, options), UsageError);
  options = {};
  options.slopes = {0.5, 0.1};
  EXPECT_THROW(fit_tron(p.rows(), p.y, {}, options), UsageError);
  EXPECT_THROW(fit_tron(p.rows(), std::vector<std::uint8_t>(19), {}, {}), InputError);
  EXPECT_THROW(fit_tron(p.rows(), p.y, std::vector<double>(20, -1.0), {}), InputError);
  EXPECT_THROW(fit_tron(p.rows(), p.y, std::vector<double>(20, 0.0), {}), InputError);
  EXPECT_THROW(tron_kind("tron"), UsageError);
  EXPECT_EQ(tron_kind("slisotron"), TronKind::slisotron);
}

}  // namespace
}  // namespace linkgistic

// Errors of means and of areas under ROC curves, against their definitions.
#include "repro/statistics.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "numeric/random.hpp"

namespace linkgistic::repro {
namespace {

struct Scored {
  std::vector<double> a, b;
  std::vector<std::uint8_t> y;
};

// Two scores that share noise, in steps of 1/4 so that many are tied.
Scored make_scored(std::size_t rows, std::uint64_t seed) {
  RandomStream random(seed);
  Scored s;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint8_t y = i % 3 == 0 ? 1 : 0;
    const double common = y + random.normal();
    s.y.push_back(y);
    s.a.push_back(std::round(4 * common) / 4);
    s.b.push_back(std::round(4 * (common + 0.5 * random.normal())) / 4);
  }
  return s;
}

double wins(double positive, double negative) {
  return positive > negative ? 1 : positive == negative ? 0.5 : 0;
}

// The covariance of two areas as DeLong, DeLong and Clarke-Pearson write it, by loops over all pairs.
struct BruteForce {
  double area_a = 0, area_b = 0, variance_a = 0, covariance = 0, variance_b = 0;
};
BruteForce brute_force(const Scored& s) {
  std::vector<std::size_t> label[2];
  for (std::size_t i = 0; i < s.y.size(); ++i) label[s.y[i]].push_back(i);
  const auto m = static_cast<double>(label[1].size()), n = static_cast<double>(label[0].size());
  std::vector<double> pa(label[1].size()), pb = pa, na(label[0].size()), nb = na;
  for (std::size_t i = 0; i < pa.size(); ++i) {
    for (std::size_t j = 0; j < na.size(); ++j) {
      const double a = wins(s.a[label[1][i]], s.a[label[0][j]]), b = wins(s.b[label[1][i]], s.b[label[0][j]]);
      pa[i] += a / n;
      pb[i] += b / n;
      na[j] += a / m;
      nb[j] += b / m;
    }
  }
  BruteForce f;
  for (std::size_t i = 0; i < pa.size(); ++i) f.area_a += pa[i] / m, f.area_b += pb[i] / m;
  const auto add = [&](const std::vector<double>& a, const std::vector<double>& b, double count) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double da = a[i] - f.area_a, db = b[i] - f.area_b, share = 1 / (count * (count - 1));
      f.variance_a += da * da * share;
      f.variance_b += db * db * share;
      f.covariance += da * db * share;
    }
  };
  add(pa, pb, m);
  add(na, nb, n);
  return f;
}

TEST(Delong, IsItsDefinition) {
  const Scored s = make_scored(60, 1);
  const BruteForce f = brute_force(s);
  const Auc a = delong(s.a, s.y), b = delong(s.b, s.y);
  EXPECT_NEAR(a.value, f.area_a, 1e-14);
  EXPECT_NEAR(error_of(a).error, std::sqrt(f.variance_a), 1e-14);
  EXPECT_NEAR(difference(a, b).mean, f.area_a - f.area_b, 1e-14);
  EXPECT_NEAR(difference(a, b).error, std::sqrt(f.variance_a + f.variance_b - 2 * f.covariance), 1e-14);
  EXPECT_LT(difference(a, b).error, std::hypot(error_of(a).error, error_of(b).error));  // pairing pays
}

TEST(Delong, OfAMeanOverTasksIsNearTheJackknife) {
  // Three classes one against the rest, on the same rows.
  RandomStream random(5);
  constexpr std::size_t rows = 300;
  std::vector<int> label(rows);
  std::vector<std::vector<double>> score(3, std::vector<double>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    label[i] = static_cast<int>(random.below(3));
    for (int k = 0; k < 3; ++k)
      score[static_cast<std::size_t>(k)][i] = (label[i] == k ? 1 : 0) + random.normal();
  }
  const auto mean_without = [&](std::size_t left_out) {
    std::vector<Auc> areas;
    for (int k = 0; k < 3; ++k) {
      std::vector<double> some;
      std::vector<std::uint8_t> y;
      for (std::size_t i = 0; i < rows; ++i) {
        if (i == left_out) continue;
        some.push_back(score[static_cast<std::size_t>(k)][i]);
        y.push_back(label[i] == k ? 1 : 0);
      }
      areas.push_back(delong(some, y));
    }
    return mean_auc(areas);
  };
  std::vector<double> without;
  for (std::size_t i = 0; i < rows; ++i) without.push_back(mean_without(i).value);
  const MeanError spread = mean_error(without);
  // The jackknife's error is (n - 1) times that of the mean of the values without a row.
  const double jackknife = (rows - 1) * spread.error;
  EXPECT_NEAR(error_of(mean_without(rows)).error / jackknife, 1, 0.03);
}

TEST(Sides, NeedTwoStandardErrors) {
  EXPECT_EQ(side_of({0.3, 0.1}), Side::above);
  EXPECT_EQ(side_of({-0.3, 0.1}), Side::below);
  EXPECT_EQ(side_of({0.19, 0.1}), Side::level);
  EXPECT_EQ(side_of({0.3, 0}), Side::level);  // one value has no error
  const MeanError gain = paired({1, 2, 4}, {0, 0, 1});
  EXPECT_NEAR(gain.mean, 2, 1e-15);
  EXPECT_NEAR(gain.error, std::sqrt(1.0 / 3), 1e-15);
}

}  // namespace
}  // namespace linkgistic::repro

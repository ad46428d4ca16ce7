// The contract of monotone regression: invariances, small and hard data, files.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "regression/regression_rows.hpp"
#include "table/row_stream.hpp"
#include "table/toys.hpp"

namespace linkgistic {
namespace {

double max_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(MonotoneRegression, EveryVariantFindsTheTruthWithinItsBand) {
  Rows rows = noisy_steps(300, 1);
  rows.weight.clear();
  for (const auto& v : variants()) {
    SCOPED_TRACE(v.name);
    const auto model = fit(rows, v.options);
    const auto x = grid(0.2, 9.8);
    const Prediction p = model.predict(x, 0.99);
    double covered = 0, error = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double truth = 3 * std::tanh(x[i] - 6);
      covered += p.lower[i] <= truth && truth <= p.upper[i] ? 1 : 0;
      error = std::max(error, std::abs(p.estimate[i] - truth));
    }
    EXPECT_GT(covered / static_cast<double>(x.size()), 0.85);
    EXPECT_LT(error, 0.6);
    EXPECT_NEAR(model.noise(), 0.5, 0.08);
  }
}

TEST(MonotoneRegression, IsMonotoneInsideAndOutsideTheDataAndSoIsEveryDraw) {
  const Rows rows = noisy_steps(60, 2);
  for (const auto& v : variants()) {
    if (v.options.prior == PriorKind::gp) continue;
    SCOPED_TRACE(v.name);
    const auto model = fit(rows, v.options);
    const auto x = grid(-20, 30, 801);
    const auto mean = model.estimate(x);
    EXPECT_TRUE(std::is_sorted(mean.begin(), mean.end(), [](double a, double b) { return a < b - 1e-9; }));
    for (const auto& draw : model.sample(x, 5, 3)) {
      EXPECT_TRUE(std::is_sorted(draw.begin(), draw.end(), [](double a, double b) { return a < b - 1e-9; }));
    }
  }
}

TEST(MonotoneRegression, GoesOnStraightOutsideTheData) {
  const Rows rows = noisy_steps(80, 3);
  const auto model = fit(rows);
  const auto& s = model.summary();
  const double edge = s.x_upper;
  const std::vector<double> x{edge, edge + 1, edge + 2, edge + 5};
  const auto y = model.estimate(x);
  EXPECT_NEAR(y[2] - y[1], y[1] - y[0], 1e-9);
  EXPECT_NEAR(y[3] - y[0], 5 * (y[1] - y[0]), 1e-9);
  const Curve slope = model.derivative(x);
  EXPECT_NEAR(slope.estimate[0], y[1] - y[0], 1e-9);
  // The band does not shrink on the way out.
  const Prediction p = model.predict(x);
  EXPECT_GE(p.upper[3] - p.lower[3], p.upper[0] - p.lower[0]);
}

TEST(MonotoneRegression, SlopeIsTheSquareOfTheLatentFunction) {
  const auto model = fit(noisy_steps(80, 4));
  const auto x = grid(1, 9, 9);
  const Curve f = model.latent(x), slope = model.derivative(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(slope.estimate[i], f.estimate[i] * f.estimate[i], 1e-12);
    constexpr double h = 1e-4;
    const auto y = model.estimate(std::vector<double>{x[i] - h, x[i] + h});
    EXPECT_NEAR((y[1] - y[0]) / (2 * h), slope.estimate[i], 1e-5);
  }
}

TEST(MonotoneRegression, DrawsOfTheLatentFunctionBelongToTheDrawsOfTheCurve) {
  const auto model = fit(noisy_steps(80, 4));
  constexpr double h = 1e-4;
  const std::vector<double> around{5 - h, 5 + h}, at{5.0};
  const auto nu = model.sample(around, 4, 9);
  const auto f = model.sample_latent(at, 4, 9);
  for (std::size_t s = 0; s < 4; ++s) EXPECT_NEAR((nu[s][1] - nu[s][0]) / (2 * h), f[s][0] * f[s][0], 1e-5);
}

TEST(MonotoneRegression, WeightsAreRepetitions) {
  const Rows rows = noisy_steps(90, 5);
  Rows repeated;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    for (int k = 0; k < static_cast<int>(rows.weight[i]); ++k) {
      repeated.x.push_back(rows.x[i]);
      repeated.y.push_back(rows.y[i]);
    }
  }
  const auto a = fit(rows), b = fit(repeated);
  const Prediction p = a.predict(grid(0, 10)), q = b.predict(grid(0, 10));
  EXPECT_LT(max_difference(p.estimate, q.estimate), 1e-6);
  EXPECT_LT(max_difference(p.lower, q.lower), 1e-5);
  EXPECT_NEAR(a.log_evidence(), b.log_evidence(), 1e-7);
}

TEST(MonotoneRegression, DoesNotDependOnTheOrderOfRows) {
  const Rows rows = noisy_steps(90, 6);
  Rows turned = rows;
  std::reverse(turned.x.begin(), turned.x.end());
  std::reverse(turned.y.begin(), turned.y.end());
  std::reverse(turned.weight.begin(), turned.weight.end());
  EXPECT_LT(max_difference(fit(rows).estimate(grid(0, 10)), fit(turned).estimate(grid(0, 10))), 1e-6);
}

TEST(MonotoneRegression, FollowsChangesOfScaleAndOffset) {
  const Rows rows = noisy_steps(90, 7);
  const auto before = fit(rows);
  for (const double scale : {1e-200, 1e-9, 1.0, 1e12, 1e200}) {
    for (const double offset : {0.0, 1e6}) {
      Rows moved = rows;
      for (double& x : moved.x) x = scale * (x + offset);
      for (double& y : moved.y) y = scale * (y - offset);
      const auto model = fit(moved);
      std::vector<double> x = grid(0, 10);
      const Prediction p = before.predict(x);
      for (double& v : x) v = scale * (v + offset);
      const Prediction q = model.predict(x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        // An offset of 1e6 costs six digits of the data themselves.
        EXPECT_NEAR(q.estimate[i] / scale + offset, p.estimate[i], offset > 0 ? 1e-4 : 1e-6);
        EXPECT_NEAR((q.upper[i] - q.lower[i]) / scale, p.upper[i] - p.lower[i], 1e-4);
      }
    }
  }
}

TEST(MonotoneRegression, DecreasingIsIncreasingWithYTurned) {
  const Rows rows = noisy_steps(90, 8);
  Rows turned = rows;
  for (double& y : turned.y) y = -y;
  const auto up = fit(rows), down = fit(turned);
  EXPECT_FALSE(up.summary().decreasing);
  EXPECT_TRUE(down.summary().decreasing);
  const Prediction p = up.predict(grid(-2, 12)), q = down.predict(grid(-2, 12));
  for (std::size_t i = 0; i < p.estimate.size(); ++i) {
    EXPECT_NEAR(p.estimate[i], -q.estimate[i], 1e-9);
    EXPECT_NEAR(p.lower[i], -q.upper[i], 1e-9);
    EXPECT_NEAR(p.obs_upper[i], -q.obs_lower[i], 1e-9);
  }
  EXPECT_LE(down.derivative(grid(0, 10)).upper[50], 0);
  MonotoneRegressionOptions options;
  options.direction = Direction::increasing;
  EXPECT_FALSE(fit(turned, options).summary().decreasing);
}

TEST(MonotoneRegression, WarnsOfADirectionAgainstTheData) {
  const auto warnings = [](const Rows& rows, Direction direction) {
    MonotoneRegressionOptions options;
    options.direction = direction;
    return fit(rows, options).summary().warnings;
  };
  const Rows up{{0, 1, 2, 3, 4, 5}, {0, 1, 2.5, 3, 4, 4.5}, {}};
  const auto words = warnings(up, Direction::decreasing);
  const std::string expected =
      "direction = decreasing is against the data: y rises with x, with a correlation of 0.99";
  EXPECT_EQ(std::count(words.begin(), words.end(), expected), 1);
  for (const Direction with : {Direction::increasing, Direction::automatic}) {
    for (const std::string& word : warnings(up, with)) {
      EXPECT_EQ(word.find("direction"), std::string::npos) << word;
    }
  }
  const Rows unclear{{0, 1, 2, 3, 4, 5}, {0, 1, 0, 1, 0, 1}, {}};
  for (const std::string& word : warnings(unclear, Direction::decreasing)) {
    EXPECT_EQ(word.find("direction"), std::string::npos) << word;
  }
}

TEST(MonotoneRegression, IsTheSameBitsForAnyNumberOfThreadsAndFromAStream) {
  const Rows rows = noisy_steps(70000, 9);
  MonotoneRegressionOptions one, two;
  one.threads = 1;
  two.threads = 2;
  const std::string expected = fit(rows, one).to_json();
  EXPECT_EQ(expected, fit(rows, two).to_json());
  MemoryRows stream(rows.x, rows.y, rows.weight);
  EXPECT_EQ(expected, MonotoneRegression(two).fit(stream).to_json());
}

TEST(MonotoneRegression, WorksOnOneTwoAndThreeRows) {
  for (const auto& v : variants()) {
    SCOPED_TRACE(v.name);
    for (std::size_t n = 1; n <= 3; ++n) {
      Rows rows;
      for (std::size_t i = 0; i < n; ++i) {
        rows.x.push_back(static_cast<double>(i));
        rows.y.push_back(5 + static_cast<double>(i));
      }
      const Prediction p = fit(rows, v.options).predict(rows.x);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_TRUE(std::isfinite(p.estimate[i]) && std::isfinite(p.obs_upper[i]));
        EXPECT_NEAR(p.estimate[i], rows.y[i], 1.5);
        EXPECT_LT(p.lower[i], p.estimate[i]);
      }
    }
  }
}

TEST(MonotoneRegression, IsSoundOnConstantYEqualXTiesAndOutliers) {
  for (const auto& v : variants()) {
    SCOPED_TRACE(v.name);
    const Rows constant{{1, 2, 3, 4, 5}, {7, 7, 7, 7, 7}, {}};
    for (const double y : fit(constant, v.options).estimate(constant.x)) EXPECT_NEAR(y, 7, 0.2);
    const Rows equal{{3, 3, 3, 3}, {1, 2, 3, 4}, {}};
    EXPECT_NEAR(fit(equal, v.options).estimate(std::vector<double>{3.0})[0], 2.5, 0.5);
    EXPECT_FALSE(fit(equal, v.options).summary().warnings.empty());
    const Rows ties{{1, 1, 1, 2, 2, 2}, {0, 1, 2, 4, 5, 6}, {}};
    const auto at = fit(ties, v.options).estimate(std::vector<double>{1.0, 2.0});
    EXPECT_NEAR(at[0], 1, 1);
    EXPECT_NEAR(at[1], 5, 1);
    Rows outlier = noisy_steps(50, 10);
    outlier.weight.clear();
    outlier.y[7] = 1e6;
    for (const double y : fit(outlier, v.options).estimate(outlier.x)) EXPECT_TRUE(std::isfinite(y));
  }
}

TEST(MonotoneRegression, TakesHugeAndTinyNumbers) {
  constexpr double huge = 1.7e308, tiny = std::numeric_limits<double>::denorm_min();
  const Rows wide{{-huge, 0, huge}, {-huge, 0, huge}, {}};
  for (const double y : fit(wide).estimate(wide.x)) EXPECT_TRUE(std::isfinite(y));
  const Rows small{{0, tiny, 2 * tiny}, {0, tiny, 2 * tiny}, {}};
  for (const double y : fit(small).estimate(small.x)) EXPECT_TRUE(std::isfinite(y));
}

TEST(MonotoneRegression, HoldsFixedHyperParametersInTheUnitsOfTheData) {
  const Rows rows = noisy_steps(100, 11);
  MonotoneRegressionOptions options;
  options.fixed = {{"noise", 0.75}, {"v", 0.1}, {"scale", 0.6}, {"mu", 1.0}, {"gamma", 0.3}};
  const auto model = fit(rows, options);
  EXPECT_NEAR(model.noise(), 0.75, 1e-12);
  for (const auto& h : model.summary().hyper_parameters) {
    const auto it = options.fixed.find(h.name);
    EXPECT_EQ(h.learned, it == options.fixed.end());
    if (it != options.fixed.end()) {
      EXPECT_NEAR(h.value, it->second, 1e-12);
    }
  }
}

TEST(MonotoneRegression, RefusesOptionsThatCannotBe) {
  const auto message = [](const std::function<void(MonotoneRegressionOptions&)>& change) -> std::string {
    MonotoneRegressionOptions options;
    change(options);
    try {
      MonotoneRegression regression(options);
    } catch (const UsageError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message([](auto& o) { o.harmonics = 0; }), "harmonics = 0: it must be from 1 to 128");
  EXPECT_EQ(message([](auto& o) { o.threads = -1; }), "threads = -1: it must be 0 (all) or positive");
  EXPECT_EQ(message([](auto& o) { o.curvature_floor = 2; }), "curvature_floor = 2: it must be in (0, 1]");
  EXPECT_EQ(message([](auto& o) { o.fixed["a"] = 1; }), "fixed: a = 1: it must be greater than 1");
  EXPECT_EQ(message([](auto& o) { o.fixed["v"] = 1; }), "fixed: v = 1: it must be between 0 and 1");
  EXPECT_EQ(message([](auto& o) { o.fixed["noise"] = -1; }), "fixed: noise = -1: it must be positive");
  EXPECT_EQ(message([](auto& o) { o.fixed["b"] = 1; }),
            "fixed: there is no hyper-parameter 'b' here; there are a, v, scale, gamma, mu, noise");
  EXPECT_EQ(message([](auto& o) {
              o.prior = PriorKind::gp;
              o.direction = Direction::decreasing;
            }),
            "direction: the gp prior is not monotone, so it takes only auto");
  EXPECT_NE(message([](auto& o) {
              o.prior = PriorKind::gp;
              o.origin = Origin::shifted;
            }).find("origin = shifted"),
            std::string::npos);
}

TEST(MonotoneRegression, RefusesBadRowsByName) {
  const auto message = [](const Rows& rows) -> std::string {
    try {
      (void)fit(rows);
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message({{1, nan}, {1, 2}, {}}).find("x is nan in row 2"), std::string::npos);
  EXPECT_NE(message({{1, 2}, {INFINITY, 2}, {}}).find("y is inf in row 1"), std::string::npos);
  EXPECT_NE(message({{1, 2}, {1, 2}, {1, -1}}).find("weight is -1 in row 2"), std::string::npos);
  EXPECT_NE(message({{1, 2}, {1, 2}, {0, 0}}), "accepted");
  EXPECT_NE(message({{1, 2}, {1}, {}}), "accepted");
  EXPECT_NE(message({{}, {}, {}}), "accepted");
}

TEST(MonotoneRegression, ProfilesOfTheEvidencePeakNearTheOptimum) {
  Rows rows = noisy_steps(200, 12);
  MonotoneRegressionOptions options;
  options.profiles = true;
  const auto model = fit(rows, options);
  ASSERT_EQ(model.profiles().size(), 6U);
  for (const auto& profile : model.profiles()) {
    ASSERT_EQ(profile.values.size(), 41U);
    EXPECT_NEAR(profile.log_evidence[20], model.log_evidence(), 1e-6) << profile.name;
    if (profile.name == "noise") {
      const auto peak = std::max_element(profile.log_evidence.begin(), profile.log_evidence.end());
      EXPECT_LE(std::abs(peak - profile.log_evidence.begin() - 20), 1);
    }
  }
}

TEST(MonotoneRegression, EveryPriorFindsFaintNoise) {
  RandomStream random(20);
  Rows rows;
  for (int i = 0; i < 200; ++i) {
    rows.x.push_back(random.uniform());
    rows.y.push_back(std::exp(2 * rows.x.back()) + 0.01 * random.normal());
  }
  for (const PriorKind prior : {PriorKind::isgp, PriorKind::offset, PriorKind::gp}) {
    MonotoneRegressionOptions options;
    options.prior = prior;
    EXPECT_NEAR(fit(rows, options).noise(), 0.01, 0.002);
  }
}

TEST(MonotoneRegression, IsSoundAtTheEndsOfTheNumbers) {
  const auto model = fit(noisy_steps(40, 16));
  const Prediction p = model.predict(std::vector<double>{-1e308, 1e308});
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LE(p.lower[i], p.estimate[i]);
    EXPECT_GE(p.obs_upper[i], p.estimate[i]);
  }
  constexpr double tiny = 1e-310;
  const Rows small{{tiny, 2 * tiny, 3 * tiny, 4 * tiny}, {tiny, 2 * tiny, 3 * tiny, 4 * tiny}, {}};
  const auto mean = fit(small).estimate(small.x);
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(mean[i] / small.y[i], 1, 0.3);
  EXPECT_THROW((void)fit({{1, 2, 3}, {1, 2, 3}, {1e308, 1e308, 1e308}}), InputError);
}

TEST(MonotoneRegression, RefusesFixedValuesThatNoFitCanUse) {
  for (const auto& [name, value] : {std::pair{"a", 1e100}, {"mu", 1e200}, {"noise", 1e-160}}) {
    MonotoneRegressionOptions options;
    options.fixed[name] = value;
    try {
      (void)fit(noisy_steps(40, 17), options);
      ADD_FAILURE() << name << " was accepted";
    } catch (const UsageError& e) {
      EXPECT_NE(std::string(e.what()).find("for these data it must be from"), std::string::npos) << e.what();
    }
  }
}

TEST(MonotoneRegression, QuantilesOfDrawsAreThoseOfTheDraws) {
  const auto model = fit(noisy_steps(60, 19));
  const std::vector<double> x{5.0};
  const Curve band = model.draw_band(x, 0.8, 101, 4);
  auto draws = model.sample(x, 101, 4);
  std::sort(draws.begin(), draws.end());
  // Of 101 draws the levels 0.1 and 0.9 are number 10.2 and 91.8, counted from 1.
  EXPECT_NEAR(band.lower[0], 0.8 * draws[9][0] + 0.2 * draws[10][0], 1e-9);
  EXPECT_EQ(band.estimate[0], draws[50][0]);
  EXPECT_NEAR(band.upper[0], 0.2 * draws[90][0] + 0.8 * draws[91][0], 1e-9);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST(MonotoneRegression, EstimateStillHasItsFormerNames) {
  const Rows rows = noisy_steps(50, 1);
  const auto model = fit(rows);
  EXPECT_EQ(model.predict_mean(rows.x), model.estimate(rows.x));
  EXPECT_EQ(model.predict(rows.x).mean(), model.estimate(rows.x));
  const Curve slope = model.derivative(rows.x);
  EXPECT_EQ(slope.mean(), slope.estimate);
}
#pragma GCC diagnostic pop

// A basis that moves has other coordinates at every value of its hyper-parameters.
TEST(MonotoneRegression, ProfilesOfABasisThatMovesUnderTheBound) {
  RandomStream random(8);
  std::vector<double> x, y;
  for (int i = 0; i < 40; ++i) {
    x.push_back(2 * random.uniform() - 1);
    y.push_back(std::tanh(3 * x.back()) + 0.1 * random.normal());
  }
  MonotoneRegressionOptions options;
  options.basis = BasisKind::nystrom;
  options.harmonics = 3;
  options.inference = Inference::variational;
  options.profiles = true;
  const auto model = MonotoneRegression(options).fit(x, y);
  ASSERT_FALSE(model.profiles().empty());
  for (const auto& profile : model.profiles())
    for (const double value : profile.log_evidence)
      EXPECT_LT(value, model.summary().log_evidence + 2) << profile.name;
}

}  // namespace
}  // namespace linkgistic

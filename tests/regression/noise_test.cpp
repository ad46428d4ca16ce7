// Noise that goes smoothly with x: its parts against formulas of their own, fits of equivalent rows, what is
// learned on rows with a known noise, answers that use it, files, and what is refused.
#include "regression/noise.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/normal.hpp"
#include "numeric/random.hpp"
#include "reference/partitions.hpp"
#include "regression/engine.hpp"
#include "regression/fit.hpp"
#include "response/responses.hpp"
#include "source/integrated_harmonics.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> x, y, weight;
};

double noise_at(double x) { return 0.2 * std::pow(6.0, x); }

Rows simulated(int n, std::uint64_t seed, double slope = 5) {
  RandomStream random(seed);
  Rows rows;
  for (int i = 0; i < n; ++i) {
    rows.x.push_back(random.uniform());
    rows.y.push_back(slope * rows.x.back() + noise_at(rows.x.back()) * random.normal());
  }
  return rows;
}

MonotoneRegressionOptions smooth(int harmonics = 8) {
  MonotoneRegressionOptions options;
  options.noise = NoiseKind::smooth;
  options.harmonics = harmonics;
  options.threads = 1;
  return options;
}

FittedMonotoneRegression fit(const Rows& rows, const MonotoneRegressionOptions& options = smooth()) {
  return MonotoneRegression(options).fit(rows.x, rows.y, rows.weight);
}

const std::vector<double> places{0.02, 0.2, 0.4, 0.5, 0.6, 0.8, 0.98};

// The greatest relative distance of two lists.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] / b[i] - 1));
  return most;
}

TEST(Noise, AnAmountOfShapeOneHalfIsASquaredNormalResidual) {
  const auto gamma = named_response("gamma");
  const Vector half = Vector::Constant(1, std::log(0.5));
  for (const double e : {1e-6, 0.3, 7.0}) {
    for (const double zeta : {-3.0, 0.0, 1.5}) {
      const double normal = -(std::log(2 * std::numbers::pi) + zeta + e * std::exp(-zeta)) / 2;
      EXPECT_NEAR(gamma->at(e, zeta, half).value + std::log(e) / 2, normal, 1e-12 * (1 + std::abs(normal)));
    }
  }
}

TEST(Noise, PrecisionsWeighTheRowsOneByOne) {
  RandomStream random(5);
  RegressionData data;
  std::vector<double> precision;
  for (int n = 0; n < 40; ++n) {
    data.t.push_back(2 * random.uniform() - 1);
    data.u.push_back(random.normal());
    data.weight.push_back(1 + double(n % 3));
    precision.push_back(std::exp(random.normal()));
    data.total_weight += data.weight.back();
  }
  data.set_precision(precision);
  const auto features = std::make_shared<IntegratedHarmonics>(4, 0.5);
  const auto response = named_response("gaussian");
  const Vector kappa = Vector::NullaryExpr(features->size(), [&] { return random.normal() / 4; });
  const Vector eta = Vector::Constant(1, 0.7);
  for (const bool decreasing : {false, true}) {
    const auto term = data.term(response, decreasing, 1)(features);
    double value = 0, slope = 0;
    for (std::size_t n = 0; n < data.t.size(); ++n) {
      const double u = decreasing ? -data.u[n] : data.u[n], nu = features->at(data.t[n]).dot(kappa);
      const Vector own = Vector::Constant(1, eta[0] + std::log(precision[n]));
      value += data.weight[n] * response->at(u, nu, own).value;
      slope += data.weight[n] * response->hyper_derivative(u, nu, own, 0).value;
    }
    EXPECT_NEAR(term->value(kappa, eta) + data.log_constant, value, 1e-11 * std::abs(value));
    EXPECT_NEAR(term->gradient(kappa, eta, true).eta[0], slope, 1e-10 * (1 + std::abs(slope)));
  }
}

TEST(Noise, QuantilesAreThoseOfTheMixture) {
  for (const double log_noise_variance : {0.01, 0.2, 0.8}) {
    for (const double level : {0.01, 0.05, 0.5, 0.9}) {
      // Simpson's rule over the precision, a gamma variable with shape k and mean e^0.4.
      const double k = 1 / log_noise_variance, rate = k * std::exp(-0.4);
      const double y = noisy_quantile(level, 2, 0.3, -0.4, log_noise_variance);
      const double most = std::exp(0.4) * (1 + 12 * std::sqrt(log_noise_variance));
      constexpr int n = 20000;
      double below = 0;
      for (int i = 1; i <= n; ++i) {
        const double p = most * i / n, w = (i == n ? 1 : i % 2 == 1 ? 4 : 2) * most / n / 3;
        const double density =
            std::exp(k * std::log(rate) - std::lgamma(k) + (k - 1) * std::log(p) - rate * p);
        below += w * density * normal_cdf((y - 2) / std::sqrt(0.3 + 1 / p));
      }
      // Both rules leave out less than 1e-5 of the mass.
      EXPECT_NEAR(below, level, 2e-5) << log_noise_variance;
      // Without the variance of the curve: Student's law.
      const double freedom = 2 * k;
      const Vector eta{{0.4, std::log(freedom)}};
      EXPECT_NEAR(noisy_quantile(level, 2, 0, -0.4, log_noise_variance),
                  named_response("student")->quantile(level, 2, eta), 1e-3);
    }
  }
  EXPECT_NEAR(noisy_quantile(0.9, 1, 0.3, -0.4, 0),
              1 + normal_quantile(0.9) * std::sqrt(0.3 + std::exp(-0.4)), 1e-12);
}

TEST(Noise, IsFoundWithTheCurve) {
  const auto found = fit(simulated(3000, 1));
  EXPECT_TRUE(found.summary().converged) << found.summary().stop;
  // A third of the rows, 1,000, leave 1/sqrt(2000) = .022 of a standard deviation; at the ends more.
  const auto sd = found.noise(places);
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_NEAR(sd[i] / noise_at(places[i]), 1, 0.15) << places[i];
  // The root mean square of .2 6^x is sqrt(.04 (36 - 1)/(2 log 6)).
  EXPECT_NEAR(found.noise() / std::sqrt(0.04 * 35 / (2 * std::log(6.0))), 1, 0.06);
  // Beyond the data it is that of the edge.
  const std::vector<double> beyond{-3, found.summary().x_lower, found.summary().x_upper, 9};
  const auto edge = found.noise(beyond);
  EXPECT_DOUBLE_EQ(edge[0], edge[1]);
  EXPECT_DOUBLE_EQ(edge[2], edge[3]);
  // Bands of new observations: 4,000 in each half have a standard error of .005.
  const Rows fresh = simulated(8000, 2);
  const Prediction p = found.predict(fresh.x);
  double inside[2] = {}, count[2] = {};
  for (std::size_t i = 0; i < fresh.x.size(); ++i) {
    const int half = fresh.x[i] < 0.5 ? 0 : 1;
    inside[half] += p.obs_lower[i] <= fresh.y[i] && fresh.y[i] <= p.obs_upper[i] ? 1 : 0;
    ++count[half];
  }
  for (const int half : {0, 1}) EXPECT_NEAR(inside[half] / count[half], 0.9, 0.025);
}

TEST(Noise, BoundDoesNotFall) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const int n : {30, 200}) {
      const auto bounds = fit(simulated(n, seed)).summary().bounds;
      ASSERT_TRUE(bounds.size() >= 2U && bounds.size() < 60U);
      // But for the last turn, which is then taken back, and by less than that tells models apart.
      for (std::size_t i = 1; i + 1 < bounds.size(); ++i) EXPECT_GE(bounds[i], bounds[i - 1]);
    }
  }
}

TEST(Noise, WeightIsRepetition) {
  Rows rows = simulated(150, 3), repeated;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    rows.weight.push_back(double(i % 3));
    for (std::size_t k = 0; k < i % 3; ++k) {
      repeated.x.push_back(rows.x[i]);
      repeated.y.push_back(rows.y[i]);
    }
  }
  const auto a = fit(rows), b = fit(repeated);
  // Searches end where the evidence is flat, and turns within a hundredth of it.
  EXPECT_LT(apart(a.noise(places), b.noise(places)), 1e-3);
  EXPECT_NEAR(a.log_evidence(), b.log_evidence(), 1e-4);
}

TEST(Noise, UnitsAndDirectionDoNotMatter) {
  Rows rows = simulated(200, 4);
  const auto up = fit(rows);
  for (double& y : rows.y) y = 7 - 100 * y;
  const auto down = fit(rows);
  EXPECT_TRUE(down.summary().decreasing);
  auto sd = up.noise(places);
  for (double& s : sd) s *= 100;
  EXPECT_LT(apart(down.noise(places), sd), 1e-3);  // to the stop of the searches
  EXPECT_NEAR(down.log_evidence(), up.log_evidence() - 200 * std::log(100.0), 1e-3);
  const Prediction p = up.predict(places), q = down.predict(places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_NEAR(q.obs_upper[i], 7 - 100 * p.obs_lower[i], 0.1);
    EXPECT_NEAR(q.obs_lower[i], 7 - 100 * p.obs_upper[i], 0.1);
  }
}

TEST(Noise, ScoresAndAnswersUseTheNoiseAtX) {
  const Rows rows = simulated(600, 6);
  const auto found = fit(rows);
  const auto mean = found.estimate(rows.x), sd = found.noise(rows.x);
  const RowScores scores = found.score_rows({rows.x, rows.y, {}});
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    const double z = (rows.y[i] - mean[i]) / sd[i];
    EXPECT_NEAR(scores.log_density[i], -z * z / 2 - std::log(sd[i]) - std::log(2 * std::numbers::pi) / 2,
                1e-9);
    EXPECT_NEAR(scores.at_most[i], normal_cdf(z), 1e-9);
  }
  // A detection: the least x whose readings stand out from those of the blank, by a scan.
  const double x0 = found.summary().x_lower, z = normal_quantile(0.95);
  const auto reach = [&](double x, double sign) {
    const std::vector<double> at{x};
    return found.estimate(at)[0] + sign * z * found.noise(at)[0];
  };
  double x = x0;
  while (reach(x, -1) < reach(x0, 1)) x += 1e-4;
  EXPECT_NEAR(found.detection_limit(0.05).estimate, x, 2e-4);
  // Unknown samples are told better where the noise is less.
  const auto few = found.unknown(std::vector{1.0}), many = found.unknown(std::vector{4.0});
  EXPECT_LT(few.upper - few.lower, 0.6 * ((std::isnan(many.upper) ? 1 : many.upper) - many.lower));
}

TEST(Noise, FileIsTheFit) {
  for (const Inference inference : {Inference::laplace, Inference::variational}) {
    auto options = smooth();
    options.inference = inference;
    const auto found = fit(simulated(80, 7), options);
    const auto same = FittedMonotoneRegression::from_json(found.to_json(), "memory");
    EXPECT_EQ(same.to_json(), found.to_json());
    EXPECT_EQ(same.noise(places), found.noise(places));
    EXPECT_EQ(same.predict(places).obs_upper, found.predict(places).obs_upper);
    EXPECT_EQ(same.summary().bounds, found.summary().bounds);
  }
  std::string large = fit(simulated(40, 7)).to_json();
  large.replace(large.find("\"level\":"), 8, "\"level\": 1e9, \"lever\":");
  try {
    (void)FittedMonotoneRegression::from_json(large, "memory");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("noise has a number that is too large"), std::string::npos)
        << error.what();
  }
  std::string damaged = fit(simulated(40, 7)).to_json();
  damaged.replace(damaged.find("\"level\""), 7, "\"lever\"");
  EXPECT_THROW((void)FittedMonotoneRegression::from_json(damaged, "memory"), InputError);
}

TEST(Noise, FilesOfConstantNoiseDoNotNameIt) {
  auto options = smooth();
  options.noise = NoiseKind::constant;
  const std::string text = fit(simulated(40, 8), options).to_json();
  for (const char* word : {"\"smooth\"", "\"constant\"", "\"bounds\"", "\"guess\"", "\"level\""})
    EXPECT_EQ(text.find(word), std::string::npos) << word;
}

TEST(Noise, PartitionsOfRowsGiveOneModel) {
  const Rows rows = simulated(900, 11);
  auto options = smooth(4);
  const std::string whole = file_digest(fit(rows, options));
  const auto response = named_response("gaussian");
  expect_one_digest(
      whole, rows.x.size(), rows_per_block, 3, 1,
      [&](const std::vector<std::size_t>& cuts, std::uint64_t seed, int threads) {
        options.threads = threads;
        const auto engine = make_partitioned_regression({rows.x, rows.y, {}}, *response, cuts, seed, threads);
        return file_digest(FittedMonotoneRegression(fit_regression(options, response, *engine)));
      });
}

TEST(Noise, FewRowsAndExactOnesHaveAFit) {
  for (const int n : {1, 2, 5}) {
    const auto found = fit(simulated(n, 9));
    for (const double s : found.noise(places)) EXPECT_TRUE(std::isfinite(s) && s > 0) << n;
  }
  Rows line;
  for (int i = 0; i < 20; ++i) {
    line.x.push_back(i);
    line.y.push_back(3.0 + 2 * i);
  }
  const auto found = fit(line);
  EXPECT_NEAR(found.estimate(std::vector{7.5})[0], 18, 1e-3);
  EXPECT_LT(found.noise(), 1e-2);
}

TEST(Noise, WhatItCannotBeIsRefused) {
  const auto refused = [](auto set) {
    auto options = smooth();
    set(options);
    try {
      options.validate();
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  using O = MonotoneRegressionOptions;
  EXPECT_EQ(refused([](O& o) { o.response = ResponseKind::student; }),
            "noise = smooth: only the response gaussian has it, not student");
  EXPECT_NE(refused([](O& o) { o.inference = Inference::mcmc; }).find("noise = smooth"), std::string::npos);
  EXPECT_NE(refused([](O& o) { o.fixed = {{"noise", 1}}; }).find("noise = smooth"), std::string::npos);
  EXPECT_NE(refused([](O& o) { o.profiles = true; }).find("noise = smooth"), std::string::npos);
  EXPECT_EQ(refused([](O& o) { o.inference = Inference::variational; }), "accepted");
}

}  // namespace
}  // namespace linkgistic

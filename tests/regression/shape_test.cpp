// Shapes of a curve: none is ever violated, and knowing the right one helps.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

struct Truth {
  Shape shape;
  std::function<double(double)> curve;  // on [0, 1], of size 1
};

const Truth truths[] = {
    {Shape::convex, [](double x) { return 4 * (x - 0.4) * (x - 0.4); }},
    {Shape::concave, [](double x) { return -4 * (x - 0.4) * (x - 0.4); }},
    {Shape::increasing_convex, [](double x) { return (std::exp(3 * x) - 1) / 20; }},
    {Shape::increasing_concave, [](double x) { return 1 - std::exp(-3 * x); }},
    {Shape::decreasing_convex, [](double x) { return std::exp(-3 * x); }},
    {Shape::decreasing_concave, [](double x) { return 1 - x * x; }},
};

struct Rows {
  std::vector<double> x, y;
};

Rows rows_of(const Truth& truth, std::size_t n, double noise, std::uint64_t seed) {
  RandomStream random(seed);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.x.push_back(random.uniform());
    rows.y.push_back(truth.curve(rows.x.back()) + noise * random.normal());
  }
  return rows;
}

std::vector<double> grid_of(std::size_t count, double lower = 0, double upper = 1) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = lower + (upper - lower) * static_cast<double>(i) / static_cast<double>(count - 1);
  return x;
}

// Differences up to the rounding of values of size 1.
void expect_shape(Shape shape, const std::vector<double>& y) {
  const std::string word = name_of(shape_names(), shape);
  const double up = word.starts_with("increasing") ? 1 : word.starts_with("decreasing") ? -1 : 0;
  const double bend = word.ends_with("convex") ? 1 : -1;
  double against = 0;
  for (std::size_t i = 1; i < y.size(); ++i) {
    against = std::max(against, -up * (y[i] - y[i - 1]));
    if (i + 1 < y.size()) against = std::max(against, -bend * (y[i + 1] - 2 * y[i] + y[i - 1]));
  }
  EXPECT_LE(against, 1e-11) << word;
}

MonotoneRegressionOptions with(Shape shape) {
  MonotoneRegressionOptions options;
  options.shape = shape;
  return options;
}

double error_of(const FittedMonotoneRegression& fit, const Truth& truth) {
  const auto x = grid_of(201);
  const auto y = fit.estimate(x);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(y[i] - truth.curve(x[i]), 2);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

TEST(Shape, EstimateAndDrawsKeepItAlsoBeyondTheData) {
  for (const Truth& truth : truths) {
    const Rows rows = rows_of(truth, 60, 0.2, 3);
    for (const PriorKind prior : {PriorKind::offset, PriorKind::isgp}) {
      auto options = with(truth.shape);
      options.prior = prior;
      const auto fit = MonotoneRegression(options).fit(rows.x, rows.y);
      expect_shape(truth.shape, fit.estimate(grid_of(100001, -0.5, 1.5)));
      for (const auto& draw : fit.sample(grid_of(1001, -0.5, 1.5), 10, 7)) expect_shape(truth.shape, draw);
      EXPECT_EQ(fit.summary().decreasing, name_of(shape_names(), truth.shape).starts_with("decreasing"));
    }
  }
}

TEST(Shape, TheRightOneHasLessErrorThanNone) {
  for (const Truth& truth : truths) {
    const std::string word = name_of(shape_names(), truth.shape);
    double shaped = 0, plain = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Rows rows = rows_of(truth, 60, 0.2, 100 + seed);
      shaped += error_of(MonotoneRegression(with(truth.shape)).fit(rows.x, rows.y), truth);
      auto options = with(Shape::automatic);
      if (word == "convex" || word == "concave") options.prior = PriorKind::gp;  // what could be had before
      plain += error_of(MonotoneRegression(options).fit(rows.x, rows.y), truth);
    }
    EXPECT_LT(shaped, plain) << word;
  }
}

TEST(Shape, SlopesAreThoseOfTheCurveAndKeepTheirSign) {
  for (const Truth& truth : truths) {
    const Rows rows = rows_of(truth, 200, 0.1, 11);
    const auto fit = MonotoneRegression(with(truth.shape)).fit(rows.x, rows.y);
    const std::vector<double> x = {0.1, 0.5, 0.9}, left = {0.1 - 1e-5, 0.5 - 1e-5, 0.9 - 1e-5},
                              right = {0.1 + 1e-5, 0.5 + 1e-5, 0.9 + 1e-5};
    const Curve slope = fit.derivative(x);
    const auto low = fit.estimate(left), high = fit.estimate(right);
    const std::string word = name_of(shape_names(), truth.shape);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(slope.estimate[i], (high[i] - low[i]) / 2e-5, 1e-4);
      EXPECT_LE(slope.lower[i], slope.estimate[i]);
      EXPECT_GE(slope.upper[i], slope.estimate[i]);
      EXPECT_TRUE(!word.starts_with("increasing") || slope.lower[i] >= 0);
      EXPECT_TRUE(!word.starts_with("decreasing") || slope.upper[i] <= 0);
    }
    // nu'' = +-f^2.
    const Curve f = fit.latent(x);
    const double sign = word.ends_with("convex") ? 1 : -1;
    const Curve before = fit.derivative(left), after = fit.derivative(right);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR((after.estimate[i] - before.estimate[i]) / 2e-5, sign * f.estimate[i] * f.estimate[i],
                  1e-3 * (1 + f.estimate[i] * f.estimate[i]));
  }
}

TEST(Shape, ServesResponsesOfPlainNumbersAndEveryInference) {
  // Counts whose logarithm is decreasing and convex.
  const Truth truth{Shape::decreasing_convex, [](double x) { return 1 + 2 * std::exp(-3 * x); }};
  RandomStream random(4);
  std::vector<double> x, y;
  for (int i = 0; i < 400; ++i) {
    x.push_back(random.uniform());
    double count = 0;  // Knuth's Poisson draw
    for (double p = random.uniform(); p > std::exp(-std::exp(truth.curve(x.back()))); p *= random.uniform())
      ++count;
    y.push_back(count);
  }
  for (const Inference inference : {Inference::laplace, Inference::mcmc}) {
    auto options = with(truth.shape);
    options.response = ResponseKind::poisson;
    options.harmonics = 6;
    options.inference = inference;
    options.draws = 100;
    const auto fit = MonotoneRegression(options).fit(x, y);
    const std::vector<double> at = {0.05, 0.5, 0.95};
    const Prediction p = fit.predict_rows(RowBlock{at, {}, {}}, 0.9, PredictionScale::link);
    for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(p.estimate[i], truth.curve(at[i]), 0.25);
    expect_shape(Shape::decreasing_convex,
                 fit.estimate_rows(RowBlock{grid_of(1001), {}, {}}, PredictionScale::link));
    // A level is reached once.
    const CurveAnswer answer = fit.inverse(std::exp(2.0));
    EXPECT_LT(answer.lower, answer.estimate);
    EXPECT_NEAR(answer.estimate, std::log(2.0) / 3, 0.15);
  }
  auto options = with(Shape::increasing_convex);
  options.inference = Inference::variational;
  const Rows rows = rows_of(truths[2], 100, 0.1, 5);
  const auto fit = MonotoneRegression(options).fit(rows.x, rows.y);
  EXPECT_LT(error_of(fit, truths[2]), 0.06);
  expect_shape(Shape::increasing_convex, fit.estimate(grid_of(1001)));
}

TEST(Shape, IsKeptInTheFile) {
  const Rows rows = rows_of(truths[5], 80, 0.1, 6);
  const auto fit = MonotoneRegression(with(Shape::decreasing_concave)).fit(rows.x, rows.y);
  const auto again = FittedMonotoneRegression::from_json(fit.to_json(), "text");
  EXPECT_EQ(again.to_json(), fit.to_json());
  EXPECT_EQ(again.predict(rows.x).upper, fit.predict(rows.x).upper);
}

TEST(Shape, WordsOfDirectionAloneAreThoseOfTheDirection) {
  const Rows rows = rows_of(truths[3], 80, 0.1, 6);
  MonotoneRegressionOptions direction;
  direction.direction = Direction::increasing;
  EXPECT_EQ(MonotoneRegression(with(Shape::increasing)).fit(rows.x, rows.y).predict(rows.x).upper,
            MonotoneRegression(direction).fit(rows.x, rows.y).predict(rows.x).upper);
}

TEST(Shape, WhatItCannotBeIsNamed) {
  const auto message = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const UsageError& e) {
      return e.what();
    }
    return "";
  };
  auto options = with(Shape::convex);
  options.direction = Direction::increasing;
  EXPECT_EQ(message([&] { options.validate(); }),
            "shape = convex, direction = increasing: only one of them may be given");
  options = with(Shape::convex);
  options.prior = PriorKind::gp;
  EXPECT_EQ(message([&] { options.validate(); }), "shape: the gp prior has no shape, so it takes only auto");
  options = with(Shape::convex);
  options.basis = BasisKind::nystrom;
  EXPECT_EQ(message([&] { options.validate(); }),
            "shape = convex: a shape with curvature has basis = trig and origin = intercept");
  const Rows rows = rows_of(truths[0], 50, 0.1, 2);
  const auto fit = MonotoneRegression(with(Shape::convex)).fit(rows.x, rows.y);
  EXPECT_EQ(message([&] { (void)fit.inverse(0.5); }),
            "shape = convex: its curve is not monotone, so it may reach a level at many x or none");
}

}  // namespace
}  // namespace linkgistic

// Temperature, vector and matrix scaling against their definition, and the weights of an average.
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/class_calibrator.hpp>

#include "calibration/classes/scaling.hpp"
#include "calibration/classes/stack.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t classes = 4;

// Claims whose logarithms are too large, by a factor of their own in each class.
struct Claims {
  std::vector<double> logits;  // (N, C)
  ClassRows rows;
};

Claims draw_claims(std::size_t n, std::uint64_t seed) {
  RandomStream random(seed);
  Claims result;
  result.rows.classes = classes;
  for (std::size_t i = 0; i < n; ++i) {
    std::int32_t best = 0;
    double most = -1e9;
    std::vector<double> s(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      s[k] = 3 * random.normal();
      const double noisy =
          (0.3 + 0.2 * static_cast<double>(k)) * s[k] - std::log(-std::log(random.uniform()));
      if (noisy > most) best = static_cast<std::int32_t>(k);
      most = std::max(most, noisy);
    }
    double sum = 0;
    for (const double v : s) sum += std::exp(v);
    for (std::size_t k = 0; k < classes; ++k) {
      result.logits.push_back(s[k]);
      result.rows.log_odds.push_back(s[k] - std::log(sum - std::exp(s[k])));
    }
    result.rows.labels.push_back(best);
    result.rows.weights.push_back(0.5 + random.uniform());
  }
  return result;
}

// -log likelihood and penalty of (b, M), by the definition; s from the log odds.
double scaling_objective(const ClassRows& rows, const ClassScaling& scaling,
                         const std::vector<double>& matrix, double t, const ClassScalingStrength& how) {
  double value = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    std::vector<double> s(classes), eta(classes);
    double mean = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      s[k] = std::log(std::max(1 / (1 + std::exp(-rows.log_odds[n * classes + k])), scaling.floor));
      mean += s[k] / classes;
    }
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      eta[k] = matrix[k * (classes + 1)];
      for (std::size_t j = 0; j < classes; ++j) eta[k] += matrix[k * (classes + 1) + j + 1] * (s[j] - mean);
      sum += std::exp(eta[k]);
    }
    value += rows.weight(n) * (std::log(sum) - eta[static_cast<std::size_t>(rows.labels[n])]);
  }
  for (std::size_t k = 0; k < classes; ++k) {
    const double* m = matrix.data() + k * (classes + 1);
    value += how.strength * classes / 2 * m[0] * m[0];
    for (std::size_t j = 0; j < classes; ++j) {
      const double d = m[j + 1] / t - (j == k ? 1 : 0);
      value += how.strength * classes * (j == k ? 1 : classes - 1) / 2 * d * d;
    }
  }
  return value;
}

TEST(ClassScaling, TemperatureIsThatOfTheGreatestLikelihood) {
  const Claims claims = draw_claims(500, 1);
  const ClassScalingStrength how{false, false, 0};
  const int all[] = {-1};
  const ClassScaling found = fit_scalings(claims.rows, {}, all, std::span(&how, 1), 1).front();
  const double t = found.matrix[1];
  for (std::size_t k = 0; k < classes; ++k) EXPECT_EQ(found.matrix[k * (classes + 1) + k + 1], t);
  const auto loss = [&](double at) {
    std::vector<double> matrix(classes * (classes + 1));
    for (std::size_t k = 0; k < classes; ++k) matrix[k * (classes + 1) + k + 1] = at;
    return scaling_objective(claims.rows, found, matrix, at, {true, true, 0});
  };
  const double h = 1e-3;
  EXPECT_GT(loss(t + h), loss(t));
  EXPECT_GT(loss(t - h), loss(t));
  EXPECT_NEAR((loss(t + h) - loss(t - h)) / (loss(t + h) - 2 * loss(t) + loss(t - h)) * h / 2, 0, 1e-5);
}

TEST(ClassScaling, MatrixIsTheModeOfItsPosterior) {
  const Claims claims = draw_claims(400, 2);
  const ClassScalingStrength how{true, true, 2};
  const ClassScalingStrength none{false, false, 2};
  const int all[] = {-1};
  const double t = fit_scalings(claims.rows, {}, all, std::span(&none, 1), 1).front().matrix[1];
  const ClassScaling found = fit_scalings(claims.rows, {}, all, std::span(&how, 1), 1).front();
  const auto value = [&](const std::vector<double>& m) {
    return scaling_objective(claims.rows, found, m, t, how);
  };
  const double least = value(found.matrix);
  for (std::size_t i = 0; i < found.matrix.size(); ++i) {
    const double h = 1e-3;
    std::vector<double> up = found.matrix, down = found.matrix;
    up[i] += h;
    down[i] -= h;
    const double slope = (value(up) - value(down)) / (2 * h);
    const double bend = (value(up) - 2 * least + value(down)) / (h * h);
    EXPECT_GT(bend, 0);
    EXPECT_LT(slope * slope / bend, 1e-6 * least) << i;  // what a Newton step could still gain
  }
}

TEST(ClassScaling, PartsAreFittedToTheRowsOfTheOthers) {
  const Claims claims = draw_claims(300, 3);
  std::vector<int> part(300);
  for (std::size_t n = 0; n < part.size(); ++n) part[n] = static_cast<int>(n % 3);
  const ClassScalingStrength how[] = {{false, false, 2}, {true, true, 2}};
  const int wanted[] = {1, -1};
  const std::vector<ClassScaling> found = fit_scalings(claims.rows, part, wanted, how, 2);
  ASSERT_EQ(found.size(), 4U);
  ClassRows others = part_of(claims.rows, part, 1, false);
  const int all[] = {-1};
  const std::vector<ClassScaling> alone = fit_scalings(others, {}, all, how, 1);
  for (std::size_t i = 0; i < alone[1].matrix.size(); ++i)
    EXPECT_NEAR(found[1].matrix[i], alone[1].matrix[i], 2e-3) << i;
  EXPECT_NE(found[1].matrix, found[3].matrix);
}

TEST(ClassScaling, ProbabilitiesAreThoseOfTheFormulaAndNeverNought) {
  const Claims claims = draw_claims(50, 4);
  const ClassScalingStrength how{true, false, 2};
  const int all[] = {-1};
  const ClassScaling vector = fit_scalings(claims.rows, {}, all, std::span(&how, 1), 1).front();
  for (std::size_t k = 0; k < classes; ++k)
    for (std::size_t j = 0; j < classes; ++j) {
      if (j == k) continue;
      EXPECT_NEAR(vector.matrix[k * (classes + 1) + j + 1], 0, 1e-5);
    }
  const std::vector<double> sure{800, -800, -800, -800};
  const std::vector<double> p = scaled(vector, sure, classes);
  double sum = 0;
  for (const double one : p) {
    EXPECT_GT(one, 0);
    sum += one;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(StackWeights, AreThoseOfASearchOverAllOfThem) {
  RandomStream random(5);
  std::vector<std::vector<double>> p(2, std::vector<double>(200));
  std::vector<double> v(200);
  for (std::size_t n = 0; n < 200; ++n) {
    p[0][n] = 0.2 + 0.6 * random.uniform();
    p[1][n] = 0.1 + 0.9 * random.uniform();
    v[n] = random.uniform();
  }
  const double rows = 5;
  const std::vector<double> w = stack_weights(p, v, rows);
  EXPECT_NEAR(w[0] + w[1], 1, 1e-12);
  const auto value = [&](double a) {
    double sum = rows / 2 * (std::log(a) + std::log(1 - a));
    for (std::size_t n = 0; n < 200; ++n) sum += v[n] * std::log(a * p[0][n] + (1 - a) * p[1][n]);
    return sum;
  };
  double best = 0.5;
  for (int i = 1; i < 10000; ++i)
    if (value(i / 10000.0) > value(best)) best = i / 10000.0;
  EXPECT_NEAR(w[0], best, 2e-4);
}

TEST(ClassMethods, CanBeAskedForAndAreKept) {
  const Claims train = draw_claims(800, 6);
  const Claims test = draw_claims(4000, 7);
  std::vector<std::int32_t> labels(train.rows.labels.begin(), train.rows.labels.end());
  const std::vector<std::string> names{"a", "b", "c", "d"};
  std::map<ClassMethod, double> losses;
  for (const ClassMethod method : {ClassMethod::automatic, ClassMethod::maps, ClassMethod::temperature,
                                   ClassMethod::vector, ClassMethod::matrix}) {
    ClassCalibratorOptions options;
    options.method = method;
    const auto fit = ClassCalibrator(options).fit(train.logits, labels, names);
    const CalibratedClasses p = fit.predict(test.logits);
    const auto again = FittedClassCalibrator::from_json(fit.to_json(), "test");
    EXPECT_EQ(again.predict(test.logits).probability, p.probability);
    EXPECT_EQ(again.options().method, method);
    double total = 0;
    for (const auto& [name, weight] : fit.summary().weights) total += weight;
    EXPECT_NEAR(total, 1, 1e-12);
    for (std::size_t n = 0; n < test.rows.size(); ++n)
      losses[method] -= std::log(p.probability[n * classes + static_cast<std::size_t>(test.rows.labels[n])]) /
                        static_cast<double>(test.rows.size());
  }
  // Each class has a factor of its own, and no map bends.
  EXPECT_LT(losses[ClassMethod::vector], losses[ClassMethod::temperature]);
  EXPECT_LT(losses[ClassMethod::matrix], losses[ClassMethod::temperature]);
  EXPECT_LT(losses[ClassMethod::automatic], 1.01 * losses[ClassMethod::vector]);
  EXPECT_LT(losses[ClassMethod::automatic], losses[ClassMethod::maps]);
}

}  // namespace
}  // namespace linkgistic

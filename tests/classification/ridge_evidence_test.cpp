// The evidence of the ridge against quadrature, and what it chooses.
#include "classification/ridge_evidence.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "classification/bent_rows.hpp"
#include "engine/local_engine.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// Rows of D features whose log odds are their sum times `size`.
ClassificationData logistic_rows(std::size_t rows, std::size_t columns, double size, std::uint64_t seed) {
  ClassificationData data;
  RandomStream random(seed);
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    double score = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      values.push_back(random.normal());
      score += size * values.back();
    }
    data.labels.push_back(random.uniform() < sigmoid(score) ? 1 : 0);
  }
  data.rows = FeatureRows::dense(values, rows, columns);
  data.class_names = {"a", "b"};
  return data;
}

// log of the integral of prod_n p(y_n | b + g z_n) N(g; 0, 1/l2) over b and g, by sums on a grid.
double exact_evidence(const ClassificationData& data, const std::vector<double>& z, double l2) {
  constexpr double h = 0.05;
  double most = -1e300;
  std::vector<double> logs;
  for (double b = -4; b <= 4; b += h) {
    for (double g = -6; g <= 6; g += h) {
      double value = 0.5 * std::log(l2) - 0.5 * l2 * g * g;
      for (std::size_t n = 0; n < z.size(); ++n)
        value -= softplus(data.labels[n] == 1 ? -(b + g * z[n]) : b + g * z[n]);
      logs.push_back(value);
      most = std::max(most, value);
    }
  }
  double sum = 0;
  for (const double value : logs) sum += std::exp(value - most);
  return most + std::log(sum * h * h / (2 * 3.14159265358979323846));
}

TEST(RidgeEvidence, IsThatOfQuadratureUpToItsConstant) {
  const ClassificationData data = logistic_rows(120, 1, 0.8, 3);
  std::vector<double> z;
  for (std::size_t n = 0; n < 120; ++n)
    z.push_back(std::get<DenseRows<float>>(data.rows.matrix().storage()).at(n, 0));
  EngineRows rows;
  rows.rows = data.rows.matrix();
  rows.labels = data.labels;
  const auto engine = make_local_engine(rows, 1);
  EmOptions options;
  options.gradient_tolerance = 1e-6;
  LinkgisticEm em(*engine, {}, {1}, options);
  for (const double l2 : {0.1, 1.0, 10.0, 100.0}) {
    const EmResult fit = em.logistic(l2);
    EXPECT_NEAR(ridge_evidence(em, fit), exact_evidence(data, z, l2), 0.02) << l2;
  }
}

TEST(RidgeEvidence, ChoosesTheSizeOfTheCoefficients) {
  // 20 coefficients of size .3 and of size .03: l2 = 1/size^2 is 11 and 1,100.
  for (const double size : {0.3, 0.03}) {
    LinkgisticOptions options;
    options.prior = LinkPrior::none;
    options.l2_by = RidgeChoiceBy::evidence;
    const auto model = LinkgisticClassifier(options).fit(logistic_rows(4000, 20, size, 5));
    EXPECT_TRUE(model.summary().l2_chosen);
    EXPECT_NEAR(std::log10(model.summary().l2), -2 * std::log10(size), 0.5) << size;
    EXPECT_GE(model.summary().l2_tried.size(), 3U);
  }
}

TEST(RidgeEvidence, IsForTwoClasses) {
  ClassificationData data = logistic_rows(60, 2, 1, 6);
  for (std::size_t n = 0; n < 60; n += 3) data.labels[n] = 2;
  data.class_names = {"a", "b", "c"};
  LinkgisticOptions options;
  options.l2_by = RidgeChoiceBy::evidence;
  EXPECT_THROW(static_cast<void>(LinkgisticClassifier(options).fit(data)), UsageError);
  options.l2 = 1;
  EXPECT_NO_THROW(static_cast<void>(LinkgisticClassifier(options).fit(data)));
}

}  // namespace
}  // namespace linkgistic

// The spectra of the prior: which one is taken, what files keep, what they do where the truth has steps.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> x, y;
};

double two_steps(double x) { return (x > 0.4 ? 1.0 : 0.0) + (x > 0.7 ? 1.0 : 0.0); }
double smooth(double x) { return std::tanh(4 * x - 2); }

Rows rows_of(double (*truth)(double), int count) {
  RandomStream random(4);
  Rows rows;
  for (int i = 0; i < count; ++i) {
    rows.x.push_back(random.uniform());
    rows.y.push_back(truth(rows.x.back()) + 0.3 * random.normal());
  }
  return rows;
}

FittedMonotoneRegression fit(const Rows& rows, MonotoneRegressionOptions options) {
  options.threads = 1;
  return MonotoneRegression(options).fit(rows.x, rows.y);
}

double error_of(const FittedMonotoneRegression& fit, double (*truth)(double)) {
  double sum = 0;
  for (int i = 0; i < 500; ++i) {
    const std::vector<double> x{0.01 + 0.98 * i / 499};
    sum += std::pow(fit.estimate(x)[0] - truth(x[0]), 2);
  }
  return sum / 500;
}

TEST(Spectrum, AutomaticIsTheFitOfTheGreatestEvidence) {
  for (const auto truth : {two_steps, smooth}) {
    const Rows rows = rows_of(truth, 200);
    MonotoneRegressionOptions options;
    options.spectrum = SpectrumKind::automatic;
    const FittedMonotoneRegression chosen = fit(rows, options);
    ASSERT_EQ(chosen.summary().spectra.size(), 5U);
    const auto best = std::max_element(chosen.summary().spectra.begin(), chosen.summary().spectra.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_EQ(name_of(spectrum_names(), chosen.options().spectrum), best->first);
    options.spectrum = chosen.options().spectrum;
    EXPECT_EQ(fit(rows, options).to_json(), chosen.to_json());
  }
}

TEST(Spectrum, IsKeptByFiles) {
  const Rows rows = rows_of(two_steps, 200);
  MonotoneRegressionOptions options;
  options.spectrum = SpectrumKind::matern12;
  const FittedMonotoneRegression fitted = fit(rows, options);
  const FittedMonotoneRegression same = FittedMonotoneRegression::from_json(fitted.to_json(), "a text");
  EXPECT_EQ(same.options().spectrum, SpectrumKind::matern12);
  EXPECT_EQ(same.predict(rows.x, 0.9).lower, fitted.predict(rows.x, 0.9).lower);
  EXPECT_EQ(same.sample(rows.x, 3, 1), fitted.sample(rows.x, 3, 1));
}

TEST(Spectrum, OfAnyKindIsMonotoneAndFindsASmoothTruth) {
  const Rows rows = rows_of(smooth, 500);
  std::vector<double> at;
  for (int i = 0; i <= 1000; ++i) at.push_back(-0.2 + 1.4 * i / 1000);
  for (const auto& [name, spectrum] : spectrum_names()) {
    MonotoneRegressionOptions options;
    options.spectrum = spectrum;
    const FittedMonotoneRegression fitted = fit(rows, options);
    const std::vector<double> curve = fitted.estimate(at);
    EXPECT_TRUE(std::is_sorted(curve.begin(), curve.end())) << name;
    EXPECT_LT(error_of(fitted, smooth), 0.004) << name;  // isotonic regression has twice that
  }
}

TEST(Spectrum, OfManyWavesComesNearerToSteps) {
  const Rows rows = rows_of(two_steps, 1000);
  MonotoneRegressionOptions few, many;
  many.harmonics = 48;
  many.spectrum = SpectrumKind::automatic;
  EXPECT_LT(error_of(fit(rows, many), two_steps), 0.8 * error_of(fit(rows, few), two_steps));
}

TEST(Spectrum, NeedsHarmonics) {
  MonotoneRegressionOptions options;
  options.basis = BasisKind::nystrom;
  options.spectrum = SpectrumKind::matern32;
  EXPECT_THROW(options.validate(), UsageError);
}

}  // namespace
}  // namespace linkgistic

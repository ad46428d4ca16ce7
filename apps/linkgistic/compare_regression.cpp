#include <cmath>
#include <numeric>

#include <linkgistic/monotone_regression.hpp>

#include "baseline/linear.hpp"
#include "baseline/pava.hpp"
#include "compare_methods.hpp"
#include "metrics/regression_metrics.hpp"
#include "numeric/stopwatch.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

struct FittedCurve {
  std::vector<double> at;  // the test rows
  double noise;
  std::string stop;
};

// The noise of a curve that has none of its own: the root mean square residual of the training rows.
template <class F>
double residual(const CompareRows& rows, F&& f) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    const double w = rows.weight.empty() ? 1.0 : rows.weight[i];
    sum += w * std::pow(rows.y[i] - f(rows.x[i]), 2);
    weight += w;
  }
  return std::sqrt(sum / weight);
}

FittedCurve fit_curve(const std::string& method, const CompareRows& train, const CompareRows& test,
                      const CompareSettings& settings) {
  const RowBlock rows{train.x, train.y, train.weight};
  if (method == "linear" || method == "pava") {
    const LinearFit line = fit_linear(rows);
    if (method == "linear") {
      std::vector<double> at;
      for (const double x : test.x) at.push_back(line(x));
      return {std::move(at), std::sqrt(line.residual_variance), "direct"};
    }
    const PiecewiseLinear steps = fit_isotonic(rows, {line.slope > 0, settings.threads});
    return {steps(test.x), residual(train, steps), "direct"};
  }
  MonotoneRegressionOptions options;
  options.prior = value_of(prior_names(), method);
  options.seed = settings.seed;
  options.threads = settings.threads;
  options.stop = settings.stop;
  const auto fit = MonotoneRegression(options).fit(train.x, train.y, train.weight);
  return {fit.estimate(test.x), fit.noise(), fit.summary().stop};
}

}  // namespace

const std::vector<std::string>& regression_methods() {
  static const std::vector<std::string> names{"isgp", "offset", "gp", "pava", "linear"};
  return names;
}

MethodScore compare_regression(const std::string& method, const CompareRows& train, const CompareRows& test,
                               const CompareSettings& settings) {
  const Stopwatch clock;
  const FittedCurve curve = fit_curve(method, train, test, settings);
  const double seconds = clock.seconds();
  RegressionMetrics metrics(curve.noise);
  metrics.add(test.y, curve.at, curve.at, curve.at, test.weight);
  return {method, {{"mse", metrics.rmse() * metrics.rmse()}, {"nll", metrics.nll()}}, seconds, curve.stop};
}

}  // namespace linkgistic

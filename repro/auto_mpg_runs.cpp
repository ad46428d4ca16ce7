#include "repro/auto_mpg_runs.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include "baseline/linear.hpp"
#include "baseline/pava.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic::repro::auto_mpg {
namespace {

struct Score {
  double mse = 0, nll = 0;
};
using Scores = std::array<Score, methods.size()>;

/// Mean squared error, and mean negative log density of a normal with these standard deviations.
Score score(const std::vector<double>& prediction, const std::vector<double>& y,
            const std::function<double(std::size_t)>& deviation) {
  Score s;
  const auto n = static_cast<double>(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double r2 = (y[i] - prediction[i]) * (y[i] - prediction[i]);
    const double variance = deviation(i) * deviation(i);
    s.mse += r2 / n;
    s.nll += (std::log(2 * std::numbers::pi * variance) + r2 / variance) / 2 / n;
  }
  return s;
}

}  // namespace

MonotoneRegressionOptions our_options(PriorKind prior, Inference inference, const Settings& settings) {
  MonotoneRegressionOptions options;
  options.prior = prior;
  options.inference = inference;
  if (settings.quick) options.harmonics = 8;
  options.threads = 1;
  options.draws = 100;
  options.stop = settings.stop;
  return options;
}

PrintedRegressionOptions printed_options(PriorKind prior, const Settings& settings) {
  PrintedRegressionOptions options;
  options.prior = prior;
  if (settings.quick) options.harmonics = 16;
  options.stop = settings.stop;
  return options;
}

namespace {

/// The density of an observation is taken as normal, as wide as its 90 % band.
Score fit_source(const Rows& train, const Rows& test, PriorKind prior, Inference inference,
                 const Settings& settings) {
  constexpr double z90 = 1.6448536269514722;
  const auto fit = MonotoneRegression(our_options(prior, inference, settings)).fit(train.x, train.y);
  const Prediction at = fit.predict(test.x);
  return score(at.estimate, test.y,
               [&](std::size_t i) { return (at.obs_upper[i] - at.obs_lower[i]) / (2 * z90); });
}

double squared_error(const std::vector<double>& prediction, const std::vector<double>& y) {
  return score(prediction, y, [](std::size_t) { return 1.0; }).mse;
}

PrintedScore run_printed(const Rows& train, const Rows& test, const Settings& settings) {
  const PrintedRegression one = fit_printed(train, test.x, printed_options(PriorKind::gp, settings)),
                          two = fit_printed(train, test.x, printed_options(PriorKind::isgp, settings));
  double level = 0;
  for (const double y : train.y) level += y / static_cast<double>(train.y.size());
  return {squared_error(one.mean, test.y), squared_error(two.mean, test.y), squared_error(two.mode, test.y),
          squared_error(std::vector<double>(test.y.size(), level), test.y), two.smallest_eigenvalue};
}

Scores run_fold(const Rows& train, const Rows& test, const Settings& settings) {
  const RowBlock block{train.x, train.y, {}};
  const LinearFit line = fit_linear(block);
  const PiecewiseLinear steps = fit_isotonic(block, {.increasing = line.slope > 0, .threads = 1});
  double residual = 0;
  for (std::size_t i = 0; i < train.x.size(); ++i) residual += std::pow(train.y[i] - steps(train.x[i]), 2);
  std::vector<double> straight, isotonic;
  for (const double x : test.x) {
    straight.push_back(line(x));
    isotonic.push_back(steps(x));
  }
  return {fit_source(train, test, PriorKind::gp, Inference::laplace, settings),
          fit_source(train, test, PriorKind::isgp, Inference::laplace, settings),
          score(isotonic, test.y,
                [&](std::size_t) { return std::sqrt(residual / static_cast<double>(train.x.size())); }),
          score(straight, test.y, [&](std::size_t) { return std::sqrt(line.residual_variance); }),
          fit_source(train, test, PriorKind::isgp, Inference::variational, settings),
          fit_source(train, test, PriorKind::offset, Inference::laplace, settings),
          fit_source(train, test, PriorKind::offset, Inference::variational, settings)};
}

}  // namespace

Outcome run_problem(const AutoMpgProblem& problem, int partitions, const Settings& settings) {
  const Rows rows = read_feature(problem.feature);
  std::vector<Scores> folds(5 * static_cast<std::size_t>(partitions));
  Outcome outcome;
  outcome.printed.resize(folds.size());
  parallel_for(folds.size(), settings.threads, [&](std::size_t i) {
    const auto part = random_partition(rows.x.size(), i / 5);
    const int k = static_cast<int>(i % 5);
    const Rows train = select(rows, part, k, problem.small), test = select(rows, part, k, !problem.small);
    folds[i] = run_fold(train, test, settings);
    outcome.printed[i] = run_printed(train, test, settings);
  });
  for (std::size_t p = 0; p < folds.size() / 5; ++p) {
    PrintedScore mean;
    for (std::size_t k = 0; k < 5; ++k) {
      mean.gp += outcome.printed[5 * p + k].gp / 5;
      mean.mean += outcome.printed[5 * p + k].mean / 5;
      mean.mode += outcome.printed[5 * p + k].mode / 5;
    }
    outcome.printed_gp.push_back(mean.gp);
    outcome.printed_mean.push_back(mean.mean);
    outcome.printed_mode.push_back(mean.mode);
  }
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (std::size_t p = 0; p < folds.size() / 5; ++p) {
      Score mean;
      for (std::size_t k = 0; k < 5; ++k) {
        mean.mse += folds[5 * p + k][m].mse / 5;
        mean.nll += folds[5 * p + k][m].nll / 5;
      }
      outcome.mse[m].push_back(mean.mse);
      outcome.nll[m].push_back(mean.nll);
    }
  }
  return outcome;
}

std::vector<double> run_sampled(const AutoMpgProblem& problem, PriorKind prior, int partitions,
                                const Settings& settings) {
  const Rows rows = read_feature(problem.feature);
  std::vector<double> folds(5 * static_cast<std::size_t>(partitions));
  parallel_for(folds.size(), settings.threads, [&](std::size_t i) {
    const auto part = random_partition(rows.x.size(), i / 5);
    const int k = static_cast<int>(i % 5);
    folds[i] = fit_source(select(rows, part, k, problem.small), select(rows, part, k, !problem.small), prior,
                          Inference::mcmc, settings)
                   .mse;
  });
  std::vector<double> result(folds.size() / 5);
  for (std::size_t i = 0; i < folds.size(); ++i) result[i / 5] += folds[i] / 5;
  return result;
}

}  // namespace linkgistic::repro::auto_mpg

#include "demo_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <utility>

#include "baseline/linear.hpp"
#include "baseline/pava.hpp"
#include "metrics/regression_metrics.hpp"
#include "numeric/normal.hpp"
#include "numeric/random.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

constexpr double interval = 0.9;
constexpr int grid_points = 401;

// A random permutation of the rows, cut in two.
void split(const DemoProblem& problem, Contest& contest) {
  std::vector<std::size_t> order(problem.rows.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random(problem.seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  const std::size_t train = order.size() * 7 / 10;
  for (std::size_t i = 0; i < order.size(); ++i) {
    RowsForPlot& part = i < train ? contest.train : contest.test;
    part.x.push_back(problem.rows.x[order[i]]);
    part.y.push_back(problem.rows.y[order[i]]);
  }
}

std::vector<double> make_grid(const std::vector<double>& x) {
  const auto [lower, upper] = std::minmax_element(x.begin(), x.end());
  std::vector<double> grid;
  grid.reserve(grid_points);
  for (int i = 0; i < grid_points; ++i) grid.push_back(*lower + (*upper - *lower) * i / (grid_points - 1));
  return grid;
}

Contestant score(const std::string& name, const Contest& contest, const Prediction& p, double noise,
                 std::vector<double> curve) {
  RegressionMetrics m(noise);
  m.add(contest.test.y, p.estimate, p.obs_lower, p.obs_upper);
  return {name, m.rmse(), m.mae(), m.nll(), m.coverage(), std::move(curve)};
}

// A method with no bands of its own: those of its residuals.
Contestant score_plain(const std::string& name, const Contest& contest,
                       const std::function<double(double)>& curve, double noise) {
  const auto at = [&](const std::vector<double>& x) {
    std::vector<double> y(x.size());
    std::transform(x.begin(), x.end(), y.begin(), curve);
    return y;
  };
  Prediction p;
  p.estimate = p.obs_lower = p.obs_upper = at(contest.test.x);
  const double width = noise * normal_quantile((1 + interval) / 2);
  for (double& value : p.obs_lower) value -= width;
  for (double& value : p.obs_upper) value += width;
  return score(name, contest, p, noise, at(contest.grid));
}

Contestant score_prior(PriorKind prior, const Contest& contest) {
  MonotoneRegressionOptions options;
  options.prior = prior;
  const auto fit = MonotoneRegression(options).fit(contest.train.x, contest.train.y);
  return score(name_of(prior_names(), prior), contest, fit.predict(contest.test.x, interval), fit.noise(),
               fit.estimate(contest.grid));
}

}  // namespace

Contest run_contest(const DemoProblem& problem) {
  Contest contest;
  split(problem, contest);
  contest.grid = make_grid(contest.train.x);
  for (const PriorKind prior : {PriorKind::offset, PriorKind::isgp, PriorKind::gp}) {
    contest.contestants.push_back(score_prior(prior, contest));
  }
  const RowBlock train{contest.train.x, contest.train.y, {}};
  const LinearFit line = fit_linear(train);
  const PiecewiseLinear steps = fit_isotonic(train, {.increasing = line.slope > 0});
  double square = 0;
  for (std::size_t i = 0; i < train.size(); ++i) square += std::pow(train.y[i] - steps(train.x[i]), 2);
  contest.contestants.push_back(score_plain(
      "PAVA", contest, [&](double x) { return steps(x); },
      std::sqrt(square / static_cast<double>(train.size()))));
  contest.contestants.push_back(score_plain("line", contest, line, std::sqrt(line.residual_variance)));
  return contest;
}

std::string contest_table(const Contest& contest) {
  const auto& all = contest.contestants;
  const auto least = [&](auto member) {
    return std::invoke(member, *std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
                         return std::invoke(member, a) < std::invoke(member, b);
                       }));
  };
  std::string text = "  method       rmse       mae       nll    coverage of 90 %\n";
  for (const Contestant& c : all) {
    char line[128];
    std::snprintf(line, sizeof line, "  %-8s %8.4f%c %8.4f%c %8.4f%c %8.3f\n", c.name.c_str(), c.rmse,
                  c.rmse == least(&Contestant::rmse) ? '*' : ' ', c.mae,
                  c.mae == least(&Contestant::mae) ? '*' : ' ', c.nll,
                  c.nll == least(&Contestant::nll) ? '*' : ' ', c.coverage);
    text += line;
  }
  return text;
}

Figure contest_figure(const DemoProblem& problem, const Contest& contest) {
  constexpr Colour colours[] = {Colour::primary, Colour::secondary, Colour::tertiary, Colour::quaternary,
                                Colour::reference};
  Figure figure;
  Panel panel;
  panel.x_label = problem.x;
  panel.y_label = problem.y;
  panel.layers.emplace_back(Points{"data", contest.train.x, contest.train.y, Colour::data, 3, 0.3});
  for (std::size_t i = contest.contestants.size(); i-- > 0;) {
    const Contestant& c = contest.contestants[i];
    panel.layers.emplace_back(
        Line{c.name, contest.grid, c.curve, colours[i], 1.5, c.name == "line" ? Dash::dashed : Dash::solid});
  }
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace linkgistic

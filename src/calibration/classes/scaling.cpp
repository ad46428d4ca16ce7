#include "calibration/classes/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "engine/local_engine.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/logistic.hpp"
#include "solver/linear_solver.hpp"

namespace linkgistic {
namespace {

// Half the least positive probability, within these.
constexpr double least_floor = 1e-7;
constexpr double most_inverse_temperature = 20;
constexpr double least_inverse_temperature = 0.02;

// s (C) of a row: log max(p_k, floor), less their mean.
void centred_logs(std::span<const double> log_odds, double log_floor, std::span<double> s) {
  double mean = 0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    s[k] = std::max(-softplus(-log_odds[k]), log_floor);
    mean += s[k] / static_cast<double>(s.size());
  }
  for (double& value : s) value -= mean;
}

double floor_of(const ClassRows& rows) {
  double least = 1;
  double weight = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) weight += rows.weight(n);
  for (const double l : rows.log_odds) {
    const double p = sigmoid(l);
    if (p > least_floor) least = std::min(least, p);
  }
  return std::max(least_floor, std::min(least, 1 / weight) / 2);
}

// The t > 0 with the greatest likelihood of softmax(t s): Newton's method within a bracket, since the loss is
// convex in t.
double inverse_temperature(const ClassRows& rows, std::span<const double> s, std::span<const int> part,
                           int left_out) {
  const std::size_t classes = rows.classes;
  double lower = least_inverse_temperature;
  double upper = most_inverse_temperature;
  double t = 1;
  std::vector<double> e(classes);
  for (int i = 0; i < 60; ++i) {
    double slope = 0;
    double curvature = 0;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      if (part[n] == left_out) continue;
      const double* row = s.data() + n * classes;
      const double most = *std::max_element(row, row + classes);
      double sum = 0;
      double first = 0;
      double second = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        e[k] = std::exp(t * (row[k] - most));
        sum += e[k];
        first += e[k] * row[k];
        second += e[k] * row[k] * row[k];
      }
      first /= sum;
      slope += rows.weight(n) * (first - row[rows.labels[n]]);
      curvature += rows.weight(n) * std::max(second / sum - first * first, 0.0);
    }
    (slope > 0 ? upper : lower) = t;
    const double next = curvature > 0 ? t - slope / curvature : slope > 0 ? lower : upper;
    const double before = t;
    t = next > lower && next < upper ? next : std::sqrt(lower * upper);
    if (std::abs(t - before) < 1e-6 * t) break;
  }
  return t;
}

const std::shared_ptr<const LossTable>& identity() {
  static const auto table =
      std::make_shared<const LossTable>(LossTable::tabulate(-1, 1, 0, [](int, double m) {
        return LossNode{m, 1};
      }));
  return table;
}

// What pulls row k of (b, M) to (0, t e_k).
std::shared_ptr<const Pull> pull_of(const ClassScalingStrength& how, double t, std::size_t k,
                                    std::size_t classes) {
  constexpr double held = 1e9;
  const auto count = static_cast<double>(classes);
  const double own = how.diagonal ? how.strength * count : held;
  const double rest = how.rest ? how.strength * count * (count - 1) : held;
  auto pull = std::make_shared<Pull>();
  pull->strength.assign(classes + 1, rest / (t * t));
  pull->centre.assign(classes + 1, 0);
  pull->strength[0] = how.diagonal ? how.strength * count : held;
  pull->strength[k + 1] = own / (t * t);
  pull->centre[k + 1] = t;
  return pull;
}

std::vector<double> only_temperature(double t, std::size_t classes) {
  std::vector<double> matrix(classes * (classes + 1));
  for (std::size_t k = 0; k < classes; ++k) matrix[k * (classes + 1) + k + 1] = t;
  return matrix;
}

}  // namespace

std::vector<ClassScaling> fit_scalings(const ClassRows& rows, std::span<const int> part,
                                       std::span<const int> wanted_parts,
                                       std::span<const ClassScalingStrength> strengths, int threads) {
  const std::size_t classes = rows.classes;
  const double floor = floor_of(rows);
  std::vector<double> s(rows.log_odds.size());
  for (std::size_t n = 0; n < rows.size(); ++n)
    centred_logs(std::span(rows.log_odds).subspan(n * classes, classes), std::log(floor),
                 std::span(s).subspan(n * classes, classes));
  const std::size_t folds =
      part.empty() ? 0 : static_cast<std::size_t>(*std::max_element(part.begin(), part.end())) + 1;
  RowParts parts(folds, rows.size());
  for (std::size_t n = 0; n < part.size(); ++n)
    for (std::size_t f = 0; f < folds; ++f)
      static_cast<std::size_t>(part[n]) == f ? parts.set_held_out(n, f) : parts.set_train(n, f);
  const RowMatrix features = float_rows(s, rows.size(), classes);
  const std::vector<float> weights(rows.weights.begin(), rows.weights.end());
  const auto engine = make_local_engine({features, rows.labels, weights, std::move(parts)}, threads);
  SolverOptions options;
  options.coupled = classes;
  options.gradient_tolerance = 1e-6;
  options.threads = threads;
  LinearSolver solver(*engine, {}, options);
  std::vector<ClassScaling> result;
  std::vector<LinearProblem> problems;
  std::vector<double> start;
  std::vector<std::size_t> solved;
  for (const int left_out : wanted_parts) {
    double weight = 0;
    for (std::size_t n = 0; n < rows.size(); ++n)
      if (left_out < 0 || part[n] != left_out) weight += rows.weight(n);
    const std::vector<int> none(part.empty() ? rows.size() : 0, 0);
    const double t = inverse_temperature(rows, s, part.empty() ? std::span<const int>(none) : part, left_out);
    for (const ClassScalingStrength& how : strengths) {
      result.push_back({only_temperature(t, classes), floor, 1 / (weight + 2)});
      if (!how.diagonal && !how.rest) continue;
      solved.push_back(result.size() - 1);
      const Selection selection =
          left_out < 0 ? Selection{} : Selection{Selection::Rows::train, static_cast<std::int32_t>(left_out)};
      for (std::size_t k = 0; k < classes; ++k)
        problems.push_back(
            {static_cast<std::int32_t>(k), identity(), 1, selection, 0, pull_of(how, t, k, classes)});
      start.insert(start.end(), result.back().matrix.begin(), result.back().matrix.end());
    }
  }
  if (problems.empty()) return result;
  const LinearSolution solution = solver.solve(problems, start);
  const std::size_t size = classes * (classes + 1);
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const auto from = solution.beta.begin() + static_cast<std::ptrdiff_t>(i * size);
    result[solved[i]].matrix.assign(from, from + static_cast<std::ptrdiff_t>(size));
  }
  return result;
}

std::vector<double> scaled(const ClassScaling& scaling, std::span<const double> log_odds,
                           std::size_t classes) {
  std::vector<double> p(log_odds.size()), s(classes);
  for (std::size_t first = 0; first < log_odds.size(); first += classes) {
    centred_logs(log_odds.subspan(first, classes), std::log(scaling.floor), s);
    const auto eta = std::span(p).subspan(first, classes);
    for (std::size_t k = 0; k < classes; ++k) {
      const double* m = scaling.matrix.data() + k * (classes + 1);
      eta[k] = m[0];
      for (std::size_t j = 0; j < classes; ++j) eta[k] += m[j + 1] * s[j];
    }
    const double total = log_sum(classes, [&](std::size_t k) { return eta[k]; }).value();
    for (double& value : eta)
      value = (1 - scaling.even) * std::exp(value - total) + scaling.even / static_cast<double>(classes);
  }
  return p;
}

}  // namespace linkgistic

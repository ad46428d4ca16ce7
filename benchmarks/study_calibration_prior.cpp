// How well the calibrator does with other numbers in its prior: the mean log loss of the test rows of many
// tasks.
//
//   study_calibration_prior TASKS [THREADS] < PRIORS > SCORES
//
// TASKS, numbers of 8 bytes: a task is four integers, the number of its data set, kind (0 decision, 1 log
// odds, 2 probability), n and m, and doubles: n scores, n labels, m test scores, m test labels. PRIORS: one
// JSON object a line with the fields of CalibrationPrior that differ from its defaults. SCORES: for each line
// one with `prior`, all fields, and `log_loss`, for each data set the mean over its tasks of their mean log
// loss; or with `error`, where the prior cannot be.
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "calibration/constants.hpp"
#include "calibration/fit.hpp"
#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"

using namespace linkgistic;
using nlohmann::json;

namespace {

// f(name, field) of all fields.
template <class F>
void for_fields(CalibrationPrior& p, F&& f) {
  f("warp_knots", p.warp_knots);
  f("asinh_width_share", p.asinh_width_share);
  f("asinh_least_width", p.asinh_least_width);
  f("line_slope", p.line_slope);
  f("line_precision", p.line_precision);
  f("zero_scale", p.zero_scale);
  f("intercept_precision", p.intercept_precision);
  f("period", p.period);
  f("decay", p.decay);
  f("constant_variance", p.constant_variance);
  f("slope_variance", p.slope_variance);
  f("level_sd", p.level_sd);
  f("offset_sizes", p.offset_sizes);
  f("isgp_sizes", p.isgp_sizes);
  f("gp_sizes", p.gp_sizes);
  f("evidence_floor", p.evidence_floor);
  f("claim_share", p.claim_share);
  f("blurs", p.blurs);
  f("rough_constant_square", p.rough_constant_square);
  f("rough_constant_variance", p.rough_constant_variance);
  f("rough_decay", p.rough_decay);
  f("rough_size", p.rough_size);
  f("rough_level_sd", p.rough_level_sd);
}

CalibrationPrior read_prior(const std::string& line) {
  json given = json::parse(line);
  CalibrationPrior prior;
  for_fields(prior, [&](const char* name, auto& field) {
    if (!given.contains(name)) return;
    given.at(name).get_to(field);
    given.erase(name);
  });
  if (!given.empty()) throw UsageError("CalibrationPrior has no field " + given.begin().key());
  return prior;
}

json to_json(CalibrationPrior prior) {
  json all = json::object();
  for_fields(prior, [&](const char* name, const auto& field) { all[name] = field; });
  return all;
}

struct Task {
  std::size_t data_set = 0;
  ScoreKind kind = ScoreKind::decision;
  std::vector<double> scores, test;
  std::vector<std::uint8_t> labels, test_labels;
};

std::vector<double> read_doubles(std::istream& in, std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  in.read(reinterpret_cast<char*>(values.data()),
          static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

std::vector<std::uint8_t> read_labels(std::istream& in, std::int64_t count) {
  const std::vector<double> values = read_doubles(in, count);
  return {values.begin(), values.end()};
}

std::vector<Task> read_tasks(const std::string& path) {
  constexpr ScoreKind kinds[] = {ScoreKind::decision, ScoreKind::log_odds, ScoreKind::probability};
  std::ifstream file(path, std::ios::binary);
  std::vector<Task> tasks;
  std::array<std::int64_t, 4> head{};
  while (file.read(reinterpret_cast<char*>(head.data()), sizeof head)) {
    Task task{static_cast<std::size_t>(head[0]), kinds[head[1]], {}, {}, {}, {}};
    task.scores = read_doubles(file, head[2]);
    task.labels = read_labels(file, head[2]);
    task.test = read_doubles(file, head[3]);
    task.test_labels = read_labels(file, head[3]);
    tasks.push_back(std::move(task));
  }
  if (tasks.empty()) throw InputError(path + ": there are no tasks");
  return tasks;
}

double log_loss(const Task& task, const CalibrationPrior& prior) {
  CalibratorOptions options;
  options.score_kind = task.kind;
  options.threads = 1;
  const std::vector<double> log_odds =
      fit_calibrator(options, prior, task.scores, task.labels, {}).log_odds(task.test);
  double sum = 0;
  for (std::size_t n = 0; n < log_odds.size(); ++n)
    sum += softplus(task.test_labels[n] == 1 ? -log_odds[n] : log_odds[n]);
  return sum / static_cast<double>(log_odds.size());
}

json score(const std::vector<Task>& tasks, const CalibrationPrior& prior, int threads) {
  std::vector<double> loss(tasks.size());
  parallel_for(tasks.size(), threads, [&](std::size_t i) { loss[i] = log_loss(tasks[i], prior); });
  std::vector<double> sum, count;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!std::isfinite(loss[i])) throw UsageError("the loss is not finite");
    const std::size_t k = tasks[i].data_set;
    if (k >= sum.size()) {
      sum.resize(k + 1);
      count.resize(k + 1);
    }
    sum[k] += loss[i];
    count[k] += 1;
  }
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] /= count[k];
  return {{"prior", to_json(prior)}, {"log_loss", sum}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: study_calibration_prior TASKS [THREADS] < PRIORS > SCORES\n";
    return 2;
  }
  try {
    const std::vector<Task> tasks = read_tasks(argv[1]);
    const int threads = argc > 2 ? std::stoi(argv[2]) : 0;
    for (std::string line; std::getline(std::cin, line);) {
      json answer;
      try {
        answer = score(tasks, read_prior(line), threads);
      } catch (const std::exception& error) {
        answer = {{"error", error.what()}};
      }
      std::cout << answer << std::endl;  // the search waits for it
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

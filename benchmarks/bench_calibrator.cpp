// Calibrates every task of a file and writes the log odds of their test scores; prints the seconds of every
// fit.
//
//   bench_calibrator TASKS PREDICTIONS [REPEATS]
//
// TASKS, numbers of 8 bytes: a task is three integers, kind (0 decision, 1 log odds, 2 probability), n and m,
// and doubles: n scores, n labels, m test scores. PREDICTIONS: m doubles a task. The seconds are the least of
// REPEATS fits, by one thread.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/error.hpp>

using namespace linkgistic;

namespace {

std::vector<double> read(std::istream& in, std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  in.read(reinterpret_cast<char*>(values.data()),
          static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: bench_calibrator TASKS PREDICTIONS [REPEATS]\n";
    return 2;
  }
  constexpr ScoreKind kinds[] = {ScoreKind::decision, ScoreKind::log_odds, ScoreKind::probability};
  const int repeats = argc > 3 ? std::stoi(argv[3]) : 1;
  std::ifstream tasks(argv[1], std::ios::binary);
  std::ofstream predictions(argv[2], std::ios::binary);
  nlohmann::json seconds = nlohmann::json::array();
  std::int64_t head[3];
  while (tasks.read(reinterpret_cast<char*>(head), sizeof head)) {
    const std::vector<double> scores = read(tasks, head[1]);
    const std::vector<double> values = read(tasks, head[1]);
    const std::vector<double> test = read(tasks, head[2]);
    const std::vector<std::uint8_t> labels(values.begin(), values.end());
    const MonotoneCalibrator calibrator({.score_kind = kinds[head[0]], .threads = 1});
    try {
      double least = std::numeric_limits<double>::infinity();
      std::vector<double> log_odds;
      for (int r = 0; r < repeats; ++r) {
        const auto begin = std::chrono::steady_clock::now();
        const FittedMonotoneCalibrator fitted = calibrator.fit(scores, labels);
        least =
            std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        if (r == 0) log_odds = fitted.log_odds(test);
      }
      predictions.write(reinterpret_cast<const char*>(log_odds.data()),
                        static_cast<std::streamsize>(log_odds.size() * sizeof(double)));
      seconds.push_back(least);
    } catch (const Error& error) {
      std::cerr << "task " << seconds.size() + 1 << ": " << error.what() << '\n';
      return 1;
    }
  }
  std::cout << nlohmann::json{{"seconds", seconds}} << '\n';
}

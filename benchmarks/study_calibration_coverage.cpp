// Coverage of the calibrator's 90 % bands on scores whose maps are known.
//
//   study_calibration_coverage [data sets = 200] [first seed = 0]
//
// Scores of every map are normal with deviation 2 and labels are drawn from sigmoid(map). Coverage is the
// mean over the scores of 200 fresh rows of the share of data sets whose band holds the true probability,
// with its standard error over data sets; beside it the mean width of the bands and the mean excess log loss
// of the fit over the truth's.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <linkgistic/calibrator.hpp>

#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"
#include "numeric/random.hpp"

namespace {

using namespace linkgistic;

struct Map {
  const char* name;
  std::function<double(double)> log_odds;
};

const std::vector<Map>& maps() {
  static const std::vector<Map> all{
      {"identity", [](double s) { return s; }},
      {"over-confident", [](double s) { return 0.4 * s + 0.3; }},
      {"under-confident", [](double s) { return 2.5 * s - 0.5; }},
      {"bent", [](double s) { return 2 * std::tanh(s) + 0.3 * s - 0.5; }},
      {"cube", [](double s) { return 0.1 * s * s * s + 0.2 * s; }},
      {"one-sided", [](double s) { return s > 0 ? 0.4 * s : 1.5 * s; }},
      {"rare", [](double s) { return s - 4; }},
  };
  return all;
}

constexpr int fresh_rows = 200;

// Means over the fresh rows of a data set.
struct Means {
  double covered = 0, width = 0, excess = 0;
};

Means run(const Map& map, int n, int seed) {
  RandomStream random(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(seed));
  std::vector<double> score, fresh;
  std::vector<std::uint8_t> label;
  for (int i = 0; i < n; ++i) {
    score.push_back(2 * random.normal());
    label.push_back(random.uniform() < sigmoid(map.log_odds(score.back())) ? 1 : 0);
  }
  for (int i = 0; i < fresh_rows; ++i) fresh.push_back(2 * random.normal());
  const CalibratedScores p = MonotoneCalibrator({.threads = 1}).fit(score, label).predict(fresh, 0.9);
  Means means;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const double l = map.log_odds(fresh[i]);
    const double truth = sigmoid(l);
    const double q = p.log_odds[i];
    means.covered += (p.lower[i] <= truth && truth <= p.upper[i] ? 1.0 : 0.0) / fresh_rows;
    means.width += (p.upper[i] - p.lower[i]) / fresh_rows;
    means.excess +=
        (truth * (softplus(-q) - softplus(-l)) + (1 - truth) * (softplus(q) - softplus(l))) / fresh_rows;
  }
  return means;
}

}  // namespace

int main(int argc, char** argv) {
  const int sets = argc > 1 ? std::atoi(argv[1]) : 200;
  const int first = argc > 2 ? std::atoi(argv[2]) : 0;
  if (sets < 2) return std::fputs("at least 2 data sets\n", stderr), 2;
  std::printf("%-16s %6s %9s %7s %7s %16s\n", "map", "n", "coverage", "s.e.", "width", "excess log loss");
  double sum = 0, cells = 0;
  for (const Map& map : maps()) {
    for (const int n : {50, 200, 1000, 5000}) {
      std::vector<Means> of(static_cast<std::size_t>(sets));
      parallel_for(of.size(), 0, [&](std::size_t i) { of[i] = run(map, n, first + static_cast<int>(i)); });
      Means mean;
      double squares = 0;
      for (const Means& m : of) {
        mean.covered += m.covered / sets;
        mean.width += m.width / sets;
        mean.excess += m.excess / sets;
      }
      for (const Means& m : of) squares += std::pow(m.covered - mean.covered, 2);
      std::printf("%-16s %6d %9.3f %7.3f %7.3f %16.5f\n", map.name, n, mean.covered,
                  std::sqrt(squares / (sets - 1) / sets), mean.width, mean.excess);
      std::fflush(stdout);
      sum += mean.covered;
      cells += 1;
    }
  }
  std::printf("mean coverage %.3f\n", sum / cells);
}

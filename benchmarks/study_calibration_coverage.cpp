// Coverage of the calibrator's 90 % bands on scores whose maps are known.
//
//   study_calibration_coverage [data sets = 200] [first seed = 0]
//
// Scores of every map are normal with deviation 2 and labels are drawn from sigmoid(map). Coverage is the
// mean over the scores of 200 fresh rows of the share of data sets whose band holds the true probability;
// beside it the mean width of the bands and the mean excess log loss of the fit over the truth's.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <linkgistic/calibrator.hpp>

#include "numeric/logistic.hpp"
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

struct Totals {
  double covered = 0, width = 0, excess = 0, count = 0;
};

void run(const Map& map, int n, int seed, Totals& totals) {
  RandomStream random(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(seed));
  std::vector<double> score, fresh;
  std::vector<std::uint8_t> label;
  for (int i = 0; i < n; ++i) {
    score.push_back(2 * random.normal());
    label.push_back(random.uniform() < sigmoid(map.log_odds(score.back())) ? 1 : 0);
  }
  for (int i = 0; i < 200; ++i) fresh.push_back(2 * random.normal());
  const CalibratedScores p = MonotoneCalibrator({.threads = 1}).fit(score, label).predict(fresh, 0.9);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const double l = map.log_odds(fresh[i]);
    const double truth = sigmoid(l);
    totals.covered += p.lower[i] <= truth && truth <= p.upper[i] ? 1 : 0;
    totals.width += p.upper[i] - p.lower[i];
    const double q = p.log_odds[i];
    totals.excess += truth * (softplus(-q) - softplus(-l)) + (1 - truth) * (softplus(q) - softplus(l));
    totals.count += 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int sets = argc > 1 ? std::atoi(argv[1]) : 200;
  const int first = argc > 2 ? std::atoi(argv[2]) : 0;
  std::printf("%-16s %6s %9s %7s %16s\n", "map", "n", "coverage", "width", "excess log loss");
  Totals all;
  for (const Map& map : maps()) {
    for (const int n : {50, 200, 1000, 5000}) {
      Totals t;
      for (int seed = first; seed < first + sets; ++seed) run(map, n, seed, t);
      std::printf("%-16s %6d %9.3f %7.3f %16.5f\n", map.name, n, t.covered / t.count, t.width / t.count,
                  t.excess / t.count);
      all.covered += t.covered / t.count;
      all.count += 1;
    }
  }
  std::printf("mean coverage %.3f\n", all.covered / all.count);
}

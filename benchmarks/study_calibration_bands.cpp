// How well the chains behind the calibrator's bands agree, and how long the first band takes.
//
//   study_calibration_bands [data sets = 5] [threads = 2]
//
// A row a kind of scores and number of rows: the worst R-hat and the least effective number of draws over the
// data sets, how many of them have a warning, and mean and greatest seconds of the first band.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <linkgistic/calibrator.hpp>

#include "calibration/fitted.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace {

using namespace linkgistic;

struct Kind {
  const char* name;
  std::function<double(RandomStream&)> score;
  std::function<double(double)> log_odds;
};

const std::vector<Kind>& kinds() {
  const auto normal = [](RandomStream& random) { return 2 * random.normal(); };
  static const std::vector<Kind> all{
      {"informative", normal, [](double s) { return s; }},
      {"bent", normal, [](double s) { return 2 * std::tanh(s) + 0.3 * s - 0.5; }},
      {"stairs", normal, [](double s) { return 3 * std::tanh(4 * (s + 2)) + 3 * std::tanh(4 * (s - 2)); }},
      {"uninformative", normal, [](double) { return 0.3; }},
      {"rare", normal, [](double s) { return s - 4; }},
      {"separable", normal, [](double s) { return s > 0 ? 40.0 : -40.0; }},
      {"five scores", [](RandomStream& random) { return static_cast<double>(random.below(5)); },
       [](double s) { return s - 2; }},
      {"probabilities", [](RandomStream& random) { return sigmoid(3 * random.normal()); },
       [](double p) { return 0.5 * std::log(p / (1 - p)); }},
  };
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const int sets = argc > 1 ? std::atoi(argv[1]) : 5;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  std::printf("%-14s %6s %8s %10s %9s %8s %8s\n", "scores", "n", "R-hat", "effective", "warnings", "mean s",
              "most s");
  int warned = 0, fits = 0;
  for (const Kind& kind : kinds()) {
    for (const int n : {50, 200, 1000, 10000}) {
      double r_hat = 1, effective = 1e9, sum = 0, most = 0;
      int warnings = 0;
      for (int set = 0; set < sets; ++set) {
        RandomStream random(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(set));
        std::vector<double> score;
        std::vector<std::uint8_t> label;
        for (int i = 0; i < n; ++i) {
          score.push_back(kind.score(random));
          label.push_back(random.uniform() < sigmoid(kind.log_odds(score.back())) ? 1 : 0);
        }
        const auto fit = MonotoneCalibrator({.threads = threads}).fit(score, label);
        const auto start = std::chrono::steady_clock::now();
        const CalibrationDraws& draws = fit.state().draws->get(fit.state());
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        r_hat = std::max(r_hat, draws.posterior.chains.r_hat());
        effective =
            std::min({effective, draws.posterior.chains.bulk_ess(), draws.posterior.chains.tail_ess()});
        warnings += draws.posterior.quality.warnings.empty() ? 0 : 1;
        sum += seconds;
        most = std::max(most, seconds);
      }
      std::printf("%-14s %6d %8.3f %10.0f %5d/%-3d %8.3f %8.3f\n", kind.name, n, r_hat, effective, warnings,
                  sets, sum / sets, most);
      std::fflush(stdout);
      warned += warnings;
      fits += sets;
    }
  }
  std::printf("%d of %d with a warning\n", warned, fits);
}

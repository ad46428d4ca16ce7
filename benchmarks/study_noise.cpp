// Smooth and constant Gaussian noise on known curves: how often 90 % bands hold a new observation, in each
// third of x, and the curve, and what a new observation costs.
//
//   study_noise [sets = 40] [first seed = 1] [rows = 100,300,1000]
//
// Noise is in units of its least standard deviation or, where it is constant, of itself: it grows eightfold
// (exponentially, or in a straight line), has a hump of four times the ends, or is constant. The curves rise
// by 8 such units. All figures are integrals over x under the truth, not samples: of the bands the
// probability of an observation; nll is the mean of -log p of a new one at the point estimate, less that of
// the truth; seconds are a processor's.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "numeric/normal.hpp"
#include "numeric/random.hpp"

namespace {

using namespace linkgistic;

double curve(int kind, double x) {
  switch (kind) {
    case 0:
      return 8 * x;
    case 1:
      return 8 / (1 + std::exp(-12 * (x - 0.5)));
    default:
      return 8 * (1 - std::exp(-4 * x)) / (1 - std::exp(-4.0));
  }
}

double noise(int kind, double x) {
  switch (kind) {
    case 0:
      return std::pow(8.0, x);
    case 1:
      return 1 + 7 * x;
    case 2:
      return 1 + 3 * std::exp(-std::pow((x - 0.5) / 0.15, 2) / 2);
    default:
      return 1;
  }
}

constexpr const char* curve_words[] = {"line", "logistic", "saturating"};
constexpr const char* noise_words[] = {"exponential", "linear", "hump", "constant"};

struct Result {
  double third[3] = {}, on_curve = 0, excess = 0, seconds = 0, turns = 0;
  int stuck = 0, fell = 0;

  void operator+=(const Result& other) {
    for (int k = 0; k < 3; ++k) third[k] += other.third[k];
    on_curve += other.on_curve;
    excess += other.excess;
    seconds += other.seconds;
    turns += other.turns;
    stuck += other.stuck;
    fell += other.fell;
  }
};

Result measure(const FittedMonotoneRegression& fit, int curve_kind, int noise_kind) {
  constexpr int places = 150;
  std::vector<double> x;
  for (int i = 0; i < places; ++i) x.push_back((i + 0.5) / places);
  const Prediction p = fit.predict(x, 0.9);
  const std::vector<double> sd = fit.noise(x);
  Result r;
  for (std::size_t i = 0; i < places; ++i) {
    const double mean = curve(curve_kind, x[i]), s = noise(noise_kind, x[i]);
    r.third[i * 3 / places] +=
        (normal_cdf((p.obs_upper[i] - mean) / s) - normal_cdf((p.obs_lower[i] - mean) / s)) /
        static_cast<double>(places / 3);
    r.on_curve += (p.lower[i] <= mean && mean <= p.upper[i] ? 1.0 : 0.0) / places;
    const double miss = p.estimate[i] - mean;
    r.excess += (std::log(sd[i] / s) + (miss * miss + s * s) / (2 * sd[i] * sd[i]) - 0.5) / places;
  }
  const auto& s = fit.summary();
  r.turns = static_cast<double>(s.bounds.size());
  r.stuck = s.converged ? 0 : 1;
  for (std::size_t i = 1; i < s.bounds.size(); ++i) r.fell += s.bounds[i] < s.bounds[i - 1] - 0.01 ? 1 : 0;
  return r;
}

void print(const char* name, const Result& r, double sets) {
  std::printf("  %-9s %.3f %.3f %.3f  %.3f  %7.4f  %6.3f", name, r.third[0] / sets, r.third[1] / sets,
              r.third[2] / sets, r.on_curve / sets, r.excess / sets, r.seconds / sets);
  if (r.turns > 0) std::printf("  %5.1f turns, %d stuck, %d fell", r.turns / sets, r.stuck, r.fell);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int sets = argc > 1 ? std::atoi(argv[1]) : 40;
  const auto first = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 1);
  std::istringstream sizes(argc > 3 ? argv[3] : "100,300,1000");
  std::printf("%-22s %-17s %-6s %-8s %-7s\n", "", "bands, by third", "curve", "nll less", "seconds");
  for (std::string text; std::getline(sizes, text, ',');) {
    const int rows = std::atoi(text.c_str());
    for (int noise_kind = 0; noise_kind < 4; ++noise_kind) {
      Result pooled[2];
      for (int curve_kind = 0; curve_kind < 3; ++curve_kind) {
        Result sum[2];
        for (int set = 0; set < sets; ++set) {
          RandomStream random(first + static_cast<std::uint64_t>(set),
                              static_cast<std::uint64_t>(1000 * rows + 10 * noise_kind + curve_kind));
          std::vector<double> x, y;
          for (int i = 0; i < rows; ++i) {
            x.push_back(random.uniform());
            y.push_back(curve(curve_kind, x.back()) + noise(noise_kind, x.back()) * random.normal());
          }
          for (const int smooth : {0, 1}) {
            MonotoneRegressionOptions options;
            options.threads = 1;
            options.noise = smooth == 1 ? NoiseKind::smooth : NoiseKind::constant;
            const std::clock_t begun = std::clock();
            const auto fit = MonotoneRegression(options).fit(x, y);
            Result one = measure(fit, curve_kind, noise_kind);
            one.seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
            sum[smooth] += one;
          }
        }
        std::printf("%d rows, noise %s, curve %s\n", rows, noise_words[noise_kind], curve_words[curve_kind]);
        print("constant", sum[0], sets);
        print("smooth", sum[1], sets);
        std::fflush(stdout);
        for (const int k : {0, 1}) pooled[k] += sum[k];
      }
      std::printf("%d rows, noise %s, all curves\n", rows, noise_words[noise_kind]);
      print("constant", pooled[0], 3.0 * sets);
      print("smooth", pooled[1], 3.0 * sets);
    }
  }
}

// How often the 90 % interval of `inverse(0.75)` holds the true threshold of forced choice between two:
// labels at eight strengths of a stimulus, or at strengths drawn evenly; guesses of a half, lapses of a few
// percent.
//
//   study_forced_choice [sets = 100] [first seed = 1] [rows = 160,400,1000]
//
// Three fits: both rates known, the lapse learned, and the lapse left out (which is wrong).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"

namespace {

using namespace linkgistic;

constexpr double guess = 0.5;

constexpr const char* curve_words[] = {"logistic", "Weibull", "bent"};

// The share behind the mean: a straight line in the log odds, Weibull's law, log odds that bend.
double share(int kind, double x) {
  switch (kind) {
    case 0:
      return 1 / (1 + std::exp(-8 * (x - 0.5)));
    case 1:
      return 1 - std::exp(-std::pow(x / 0.55, 3.5));
    default:
      return 1 / (1 + std::exp(4 - 8 * (1 - std::exp(-4 * x)) / (1 - std::exp(-4.0))));
  }
}

double threshold(int kind, double lapse) {
  double lower = 0, upper = 1;
  while (upper - lower > 1e-12) {
    const double middle = (lower + upper) / 2;
    (guess + (1 - guess - lapse) * share(kind, middle) < 0.75 ? lower : upper) = middle;
  }
  return lower;
}

}  // namespace

int main(int argc, char** argv) {
  const int sets = argc > 1 ? std::atoi(argv[1]) : 100;
  const auto first = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 1);
  std::istringstream sizes(argc > 3 ? argv[3] : "160,400,1000");
  constexpr const char* fits[] = {"known", "lapse learned", "no lapse"};
  double pooled[3] = {};
  std::uint64_t cell = 0;
  std::printf(
      "coverage of the threshold, mean width of the interval where it has both ends, share without one\n");
  for (std::string text; std::getline(sizes, text, ',');) {
    const int rows = std::atoi(text.c_str());
    for (const int kind : {0, 1, 2}) {
      for (const double lapse : {0.02, 0.06}) {
        for (const bool levels : {true, false}) {
          const double truth = threshold(kind, lapse);
          ++cell;
          double held[3] = {}, width[3] = {}, open[3] = {};
          for (int set = 0; set < sets; ++set) {
            RandomStream random(first + static_cast<std::uint64_t>(set), cell);
            std::vector<double> x, y;
            for (int i = 0; i < rows; ++i) {
              x.push_back(levels ? (i % 8) / 7.0 : random.uniform());
              const double p = guess + (1 - guess - lapse) * share(kind, x.back());
              y.push_back(random.uniform() < p ? 1 : 0);
            }
            for (int k = 0; k < 3; ++k) {
              MonotoneRegressionOptions options;
              options.threads = 1;
              options.response = ResponseKind::bernoulli;
              options.direction = Direction::increasing;
              options.guess = {guess};
              if (k == 0) options.lapse = {lapse};
              if (k == 1) options.lapse = {0, true};
              const CurveAnswer a = MonotoneRegression(options).fit(x, y).inverse(0.75);
              held[k] +=
                  !(a.lower > truth) && !(a.upper < truth) ? 1 : 0;  // an end that is not reached is open
              if (std::isfinite(a.upper - a.lower)) {
                width[k] += a.upper - a.lower;
              } else {
                ++open[k];
              }
            }
          }
          std::printf("%5d rows, %-8s lapse %.2f, %-12s", rows, curve_words[kind], lapse,
                      levels ? "8 strengths" : "even");
          for (int k = 0; k < 3; ++k) {
            std::printf("  %s %.3f %.3f %.2f", fits[k], held[k] / sets, width[k] / (sets - open[k]),
                        open[k] / sets);
            pooled[k] += held[k] / sets;
          }
          std::printf("\n");
          std::fflush(stdout);
        }
      }
    }
  }
  std::printf("pooled");
  for (int k = 0; k < 3; ++k) std::printf("  %s %.3f", fits[k], pooled[k] / static_cast<double>(cell));
  std::printf("\n");
}

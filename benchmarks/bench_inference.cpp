// Seconds of a whole fit by laplace, variational and mcmc at 10^4 and 10^6 rows, Gaussian noise.
//
//   bench_inference [rows of the large set = 1000000] [without mcmc: any word]
//
// At 10^6 rows variational takes at most 3 times as long as laplace; mcmc (4 x 1,000 draws) takes at most 20
// s and its R-hat is below 1.01. Each is printed with PASS or FALLS SHORT.
//
// x uniform on [-3, 3], y = tanh(x) + 0.3 noise; the best of three runs (one of mcmc).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "text/names.hpp"

namespace {

const char* verdict(bool met) { return met ? "PASS" : "FALLS SHORT"; }

// The greatest of "... (R-hat 1.003, ..."; 0 where there is none.
double r_hat_of(const std::string& words) {
  double most = 0;
  for (std::size_t at = words.find("R-hat "); at != std::string::npos; at = words.find("R-hat ", at + 1)) {
    most = std::max(most, std::atof(words.c_str() + at + 6));
  }
  return most;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace linkgistic;
  const auto large = static_cast<std::size_t>(argc > 1 ? std::atol(argv[1]) : 1000000);
  std::printf("%-12s %9s %9s %9s %9s %10s %12s %6s\n", "inference", "rows", "seconds", "data", "search",
              "posterior", "over laplace", "evals");
  for (const std::size_t n : {std::size_t{10000}, large}) {
    RandomStream random(n);
    std::vector<double> x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = 6 * random.uniform() - 3;
      y[i] = std::tanh(x[i]) + 0.3 * random.normal();
    }
    double laplace = 0;
    for (const Inference inference : {Inference::laplace, Inference::variational, Inference::mcmc}) {
      if (inference == Inference::mcmc && argc > 2) continue;
      MonotoneRegressionOptions options;
      options.inference = inference;
      double best = 1e300;
      RegressionSummary s;
      for (int run = 0; run < (inference == Inference::mcmc ? 1 : 3); ++run) {
        const auto begin = std::chrono::steady_clock::now();
        const auto fit = MonotoneRegression(options).fit(x, y);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (seconds >= best) continue;
        best = seconds;
        s = fit.summary();
      }
      if (inference == Inference::laplace) laplace = best;
      std::printf("%-12s %9zu %9.4f %9.4f %9.4f %10.4f %12.2f %6d   %s\n",
                  name_of(inference_names(), inference).c_str(), n, best, s.seconds_data, s.seconds_search,
                  s.seconds_posterior, best / laplace, s.evaluations, s.posterior.c_str());
      if (n == large && inference == Inference::variational) {
        std::printf("variational over laplace at %zu rows: %.2f, bar 3.00  %s\n", n, best / laplace,
                    verdict(best <= 3 * laplace));
      }
      if (n == large && inference == Inference::mcmc) {
        const double r_hat = r_hat_of(s.posterior);
        std::printf("mcmc at %zu rows: %.2f s, bar 20.00  %s\n", n, best, verdict(best <= 20));
        std::printf("R-hat of mcmc: %.4g, below 1.01  %s\n", r_hat, verdict(r_hat > 0 && r_hat < 1.01));
      }
      std::fflush(stdout);
    }
  }
}

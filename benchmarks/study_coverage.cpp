// Coverage of the 90 % band and error of mode, mean and median, on data sets simulated from the prior. Beside
// the band of `predict` (linearised at the mode): the quantiles of posterior draws.
//
//   study_coverage [data sets = 200] [inference = laplace] [draws a chain of mcmc = 1000]
//
// x uniform on [-1, 1], noise 0.2; truth: a = 1.5, prior slope 1, v = 0.3 (offset), prior variance 1 (gp),
// nu0 ~ N(0, 1). `known`: the hyper-parameters are given; `learned`: they are learned from each data set.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "source/trig_source.hpp"
#include "text/names.hpp"

namespace {

using namespace linkgistic;

constexpr int harmonics = 16;
constexpr double noise = 0.2;

struct Problem {
  const char* name;
  PriorKind prior;
  std::map<std::string, double> hyper;
};

std::vector<Problem> problems() {
  const double a = 1.5;
  const double b = (a - 1) / (1 - std::pow(a, -harmonics));  // k(0,0) = 1
  return {{"isgp", PriorKind::isgp, {{"a", a}, {"b", b}, {"gamma", 1}, {"mu", 0}, {"noise", noise}}},
          {"offset",
           PriorKind::offset,
           {{"a", a}, {"v", 0.3}, {"scale", 1}, {"gamma", 1}, {"mu", 0}, {"noise", noise}}},
          {"gp", PriorKind::gp, {{"a", a}, {"b", b}, {"gamma", 1}, {"mu", 0}, {"noise", noise}}}};
}

struct Truth {
  SourceModel source;
  Vector kappa;
  Truth(const Problem& problem, RandomStream& random) {
    const TrigSource family(problem.prior, harmonics, 0.5);
    Vector theta(static_cast<Index>(family.hyper_parameters().size()));
    for (Index i = 0; i < theta.size(); ++i) {
      const auto& h = family.hyper_parameters()[static_cast<std::size_t>(i)];
      theta[i] = h.to_theta(problem.hyper.at(h.name));
    }
    source = family.at(theta);
    kappa = source.map->value(source.prior.draw(random));
  }
  double operator()(double t) const { return kappa.dot(source.features->at(t)); }
};

struct Sums {
  double covered = 0, covered2 = 0, draws = 0, mode = 0, mean = 0, median = 0, width = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int sets = argc > 1 ? std::atoi(argv[1]) : 200;
  const Inference inference = value_of(inference_names(), argc > 2 ? argv[2] : "laplace");
  const int chain = argc > 3 ? std::atoi(argv[3]) : 1000;
  std::vector<double> grid(101);
  for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = -1 + 0.02 * static_cast<double>(i);
  std::printf("%-7s %4s %-8s %9s %7s %7s %10s %10s %10s %8s %6s\n", "prior", "N", "hyper", "coverage", "s.e.",
              "draws", "MSE point", "MSE mean", "MSE median", "width", "ms");
  for (const auto& problem : problems()) {
    for (const int n : {30, 300}) {
      for (const bool known : {true, false}) {
        Sums sums;
        const auto start = std::chrono::steady_clock::now();
        for (int s = 0; s < sets; ++s) {
          RandomStream random(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(s));
          const Truth truth(problem, random);
          std::vector<double> x(static_cast<std::size_t>(n)), y(x.size());
          for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = i == 0 ? -1 : i == 1 ? 1 : 2 * random.uniform() - 1;  // the ends fix the scale
            y[i] = truth(x[i]) + noise * random.normal();
          }
          MonotoneRegressionOptions options;
          options.prior = problem.prior;
          options.harmonics = harmonics;
          if (problem.prior != PriorKind::gp) options.direction = Direction::increasing;
          options.threads = 1;
          options.inference = inference;
          options.draws = chain;
          if (known) options.fixed = problem.hyper;
          const auto fit = MonotoneRegression(options).fit(x, y);
          const Prediction p = fit.predict(grid, 0.9);
          const auto mean = fit.posterior_mean(grid);
          const Curve draws = fit.draw_band(grid, 0.9, 500);
          double covered = 0;
          for (std::size_t i = 0; i < grid.size(); ++i) {
            const double nu = truth(grid[i]);
            const double share = 1 / static_cast<double>(grid.size());
            covered += share * (p.lower[i] <= nu && nu <= p.upper[i] ? 1 : 0);
            sums.draws += share * (draws.lower[i] <= nu && nu <= draws.upper[i] ? 1 : 0) / sets;
            sums.mode += share * std::pow(p.estimate[i] - nu, 2) / sets;
            sums.mean += share * std::pow(mean[i] - nu, 2) / sets;
            sums.median += share * std::pow(draws.estimate[i] - nu, 2) / sets;
            sums.width += share * (p.upper[i] - p.lower[i]) / sets;
          }
          sums.covered += covered / sets;
          sums.covered2 += covered * covered / sets;
        }
        const double ms =
            1e3 / sets * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const double error = std::sqrt((sums.covered2 - sums.covered * sums.covered) / sets);
        std::printf("%-7s %4d %-8s %9.3f %7.3f %7.3f %10.5f %10.5f %10.5f %8.4f %6.1f\n", problem.name, n,
                    known ? "known" : "learned", sums.covered, error, sums.draws, sums.mode, sums.mean,
                    sums.median, sums.width, ms);
        std::fflush(stdout);
      }
    }
  }
}

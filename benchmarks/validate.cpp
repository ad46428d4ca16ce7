// Simulation-based calibration of the sampler, coverage of the bands and error of every posterior, on data
// drawn from the model. Writes a page with tables and rank histograms.
//
//   validate [--sets 400] [--cells WORDS] [--methods laplace,variational,mcmc] [--draws 250]
//            [--warmup 150] [--harmonics 8] [--seed 1] [--state FILE] [--output docs/validation.md]
//
// --state keeps finished cells: a run that finds them there goes on with the others. --cells keeps the cells
// whose name has all the WORDS, as in --cells "isgp gaussian 30 known". Threads: OMP_NUM_THREADS. Data sets
// run in parallel; the figures but for the times do not depend on the threads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include <omp.h>

#include <linkgistic/error.hpp>

#include "inference/sample_posterior.hpp"
#include "inference/sampling.hpp"
#include "inference/variational_bayes.hpp"
#include "numeric/parallel.hpp"
#include "numeric/quantile.hpp"
#include "validation/problem.hpp"
#include "validation/results.hpp"
#include "validation/state.hpp"

namespace {

using namespace linkgistic;
using namespace linkgistic::validation;
using Clock = std::chrono::steady_clock;

constexpr Index grid_size = 41;
constexpr double band_level = 0.9;

struct Arguments {
  RunOptions run;
  std::vector<std::string> cells;
  std::vector<std::string> methods{"laplace", "variational", "mcmc"};
  std::uint64_t seed = 1;
  std::string output = "docs/validation.md";
  std::string state;
};

// A band on the grid with its point estimate.
struct Curve {
  Vector point, lower, upper;
  double milliseconds = 0;
};

// One data set.
struct SetResult {
  std::map<std::string, Curve> curves;
  Vector truth;
  std::map<std::string, double> rank;  // of the truth among 99 draws, 0 to 1
  double r_hat = 0, ess = 0, divergences = 0;
};

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::vector<double> grid() {
  std::vector<double> x;
  for (Index i = 0; i < grid_size; ++i) x.push_back(-1 + 2.0 * static_cast<double>(i) / (grid_size - 1));
  return x;
}

Matrix grid_features(const SourceModel& source) {
  Matrix phi(source.features->size(), grid_size);
  const auto x = grid();
  for (Index i = 0; i < grid_size; ++i) source.features->evaluate(x[static_cast<std::size_t>(i)], phi.col(i));
  return phi;
}

Curve curve_of(const Posterior& posterior, const SourceModel& source, const Matrix& phi) {
  const double levels[] = {(1 - band_level) / 2, (1 + band_level) / 2};
  const Matrix band = posterior.quantiles(source, Places(grid()), levels, 1);
  Curve curve;
  curve.point = phi.transpose() * posterior.point_coefficients(*source.map);
  curve.lower = band.col(0);
  curve.upper = band.col(1);
  return curve;
}

Curve gaussian_curve(const DrawnProblem& problem, const LaplaceFit& fit, const Matrix& phi,
                     bool variational) {
  if (!variational)
    return curve_of(laplace_posterior(problem.inference(), fit, problem.learning()), fit.source, phi);
  const VariationalBayesFit q = learn_bound(problem.inference(), fit, problem.learning());
  return curve_of(variational_posterior(problem.inference(), q, problem.learning()), q.source, phi);
}

Curve mcmc_curve(const DrawnProblem& problem, const LaplaceFit& fit, const Matrix& phi,
                 const Arguments& arguments, std::uint64_t set, SetResult& result) {
  SamplingOptions options;
  options.draws = arguments.run.draws;
  options.warmup = arguments.run.warmup;
  options.seed = arguments.seed + 7919 * set;
  options.threads = 1;
  const Sampling sampling = sample_posterior(problem.inference(), fit, options);
  const Index total = sampling.g.cols();
  Matrix nu(total, grid_size);
  for (Index s = 0; s < total; ++s) nu.row(s) = fit.source.map->value(sampling.g.col(s)).transpose() * phi;
  Curve curve = curve_of(SamplePosterior({sampling.g, Matrix()}), fit.source, phi);
  // 99 draws, equally spaced: ranks 0..99, equally likely.
  const auto rank = [&](const Vector& draws, double truth) {
    constexpr Index kept = rank_bins * 5 - 1;
    int below = 0;
    for (Index k = 0; k < kept; ++k) below += draws[(2 * k + 1) * total / (2 * kept)] < truth ? 1 : 0;
    return static_cast<double>(below) / (kept + 1);
  };
  for (const Index i : {Index{2}, Index{11}, Index{20}, Index{29}, Index{38}}) {
    char name[16];
    std::snprintf(name, sizeof name, "nu(%.2f)", -1 + 2.0 * static_cast<double>(i) / (grid_size - 1));
    result.rank[name] = rank(nu.col(i), result.truth[i]);
  }
  const auto& hyper = problem.inference().hyper;
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    if (!problem.inference().learned[i]) continue;
    const auto k = static_cast<Index>(i);
    result.rank[hyper[i].name] = rank(sampling.theta.row(k).transpose(), problem.theta()[k]);
  }
  const SamplingDiagnostics& d = sampling.diagnostics;
  result.r_hat = d.r_hat();
  result.ess = std::min(d.bulk_ess(), d.tail_ess());
  result.divergences = static_cast<double>(d.divergences) / static_cast<double>(total);
  return curve;
}

SetResult run_set(const Cell& cell, const Arguments& arguments, std::uint64_t cell_seed, std::uint64_t set) {
  const DrawnProblem problem(cell, arguments.run.harmonics, cell_seed, set);
  SetResult result;
  const Matrix phi = grid_features(problem.source());
  result.truth.resize(grid_size);
  const auto x = grid();
  for (Index i = 0; i < grid_size; ++i) result.truth[i] = problem.truth(x[static_cast<std::size_t>(i)]);
  const auto begin = Clock::now();
  const LaplaceFit fit = problem.fit();
  const double fit_time = milliseconds_since(begin);
  for (const std::string& method : arguments.methods) {
    const auto start = Clock::now();
    Curve curve = method == "mcmc" ? mcmc_curve(problem, fit, phi, arguments, set, result)
                                   : gaussian_curve(problem, fit, phi, method == "variational");
    curve.milliseconds = milliseconds_since(start) + (method == "laplace" ? fit_time : 0);
    result.curves[method] = std::move(curve);
  }
  return result;
}

CellResult run_cell(const Cell& cell, const Arguments& arguments, std::uint64_t cell_seed) {
  std::vector<SetResult> sets(static_cast<std::size_t>(arguments.run.sets));
  parallel_for(sets.size(), 0, [&](std::size_t s) { sets[s] = run_set(cell, arguments, cell_seed, s); });
  CellResult result;
  result.cell = cell;
  std::vector<double> ess;
  for (const SetResult& s : sets) {
    for (const auto& [method, curve] : s.curves) {
      MethodResult& m = result.methods[method];
      m.coverage.add((s.truth.array() >= curve.lower.array() && s.truth.array() <= curve.upper.array())
                         .cast<double>()
                         .mean());
      m.width.add((curve.upper - curve.lower).mean());
      m.square_error.add((curve.point - s.truth).squaredNorm() / grid_size);
      m.milliseconds.add(curve.milliseconds);
    }
    for (const auto& [name, rank] : s.rank) ++result.ranks[name][static_cast<std::size_t>(rank * rank_bins)];
    result.converged += (s.r_hat < 1.01 ? 1.0 : 0.0) / arguments.run.sets;
    result.divergences.add(s.divergences);
    ess.push_back(s.ess);
  }
  result.median_ess = quantile(ess, 0.5);
  return result;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

Arguments parse(int argc, char** argv) {
  Arguments a;
  a.run.command = "validate";
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (i + 1 >= argc) throw UsageError(name + ": a value must follow");
    const std::string value = argv[++i];
    if (name != "--state" && name != "--output")
      a.run.command += ' ' + name + ' ' + (value.find(' ') == std::string::npos ? value : '"' + value + '"');
    if (name == "--sets")
      a.run.sets = std::max(2, std::atoi(value.c_str()));
    else if (name == "--cells")
      a.cells = split(value, ' ');
    else if (name == "--methods")
      a.methods = split(value, ',');
    else if (name == "--draws")
      a.run.draws = std::max(100, std::atoi(value.c_str()));
    else if (name == "--warmup")
      a.run.warmup = std::max(20, std::atoi(value.c_str()));
    else if (name == "--harmonics")
      a.run.harmonics = std::max(1, std::atoi(value.c_str()));
    else if (name == "--seed")
      a.seed = static_cast<std::uint64_t>(std::atoll(value.c_str()));
    else if (name == "--output")
      a.output = value;
    else if (name == "--state")
      a.state = value;
    else
      throw UsageError(name + ": no such option");
  }
  for (const auto& m : a.methods) {
    if (m != "laplace" && m != "variational" && m != "mcmc")
      throw UsageError("--methods: " + m + ": must be laplace, variational or mcmc");
  }
  a.run.threads = omp_get_max_threads();
  return a;
}

// What the figures of a cell depend on.
std::string state_key(const Arguments& a) {
  std::string key = "sets " + std::to_string(a.run.sets) + ", draws " + std::to_string(a.run.draws) +
                    ", warmup " + std::to_string(a.run.warmup) + ", harmonics " +
                    std::to_string(a.run.harmonics) + ", seed " + std::to_string(a.seed);
  for (const std::string& method : a.methods) key += ", " + method;
  return key;
}

int run(int argc, char** argv) {
  Arguments arguments = parse(argc, argv);
  const auto all = all_cells();
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto words = split(all[i].name(), ' ');
    const bool fits = std::all_of(arguments.cells.begin(), arguments.cells.end(), [&](const std::string& w) {
      return std::find(words.begin(), words.end(), w) != words.end();
    });
    if (fits) chosen.push_back(i);
  }
  if (chosen.empty()) throw UsageError("--cells: no cell has all these words");
  // A cell's data sets do not depend on which other cells run.
  const auto cell_seed = [&](std::size_t i) { return arguments.seed + 1000 * (i + 1); };

  State state(arguments.state, state_key(arguments));
  std::vector<std::size_t> open;
  for (const std::size_t i : chosen) {
    if (!state.find(all[i])) open.push_back(i);
  }

  const auto pilot = Clock::now();
  parallel_for(open.size(), 0,
               [&](std::size_t i) { (void)run_set(all[open[i]], arguments, cell_seed(open[i]), 1u << 20); });
  const double estimate = milliseconds_since(pilot) / 1000 * arguments.run.sets;
  std::printf("%zu cells of %d data sets on %d threads: about %.0f s\n", open.size(), arguments.run.sets,
              arguments.run.threads, estimate);
  std::printf("%-36s %8s %16s %16s %16s %8s %8s %6s\n", "cell", "seconds", "laplace", "variational", "mcmc",
              "least p", "R-hat", "ESS");
  std::fflush(stdout);

  const auto begin = Clock::now();
  std::vector<CellResult> results;
  for (const std::size_t i : chosen) {
    const auto start = Clock::now();
    const CellResult* const kept = state.find(all[i]);
    results.push_back(kept ? *kept : run_cell(all[i], arguments, cell_seed(i)));
    results.back().cell = all[i];
    const CellResult& r = results.back();
    if (!kept) {
      state.spent(milliseconds_since(start) / 1000);
      state.add(r);
    }
    double p = 1;
    for (const auto& [name, counts] : r.ranks) p = std::min(p, uniformity(counts));
    std::printf("%-36s %8.1f", r.cell.name().c_str(), milliseconds_since(start) / 1000);
    for (const char* method : {"laplace", "variational", "mcmc"}) {
      const auto found = r.methods.find(method);
      if (found == r.methods.end()) {
        std::printf(" %16s", "-");
      } else {
        std::printf("  %.3f +- %.4f", found->second.coverage.value(), found->second.coverage.error());
      }
    }
    std::printf(" %8.2g %7.0f%% %6.0f\n", p, 100 * r.converged, r.median_ess);
    std::fflush(stdout);
  }
  arguments.run.seconds = milliseconds_since(begin) / 1000 + state.seconds();
  write_page(arguments.output, results, arguments.run);
  std::printf("ranks: p = %.3g after Bonferroni; %s written\n", bonferroni(results),
              arguments.output.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "validate: %s\n", error.what());
    return 2;
  }
}

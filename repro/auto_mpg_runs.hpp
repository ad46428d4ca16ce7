// The runs behind Table 1: eight problems of auto-mpg, each by all methods over random five-way partitions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "repro/auto_mpg_folds.hpp"
#include "repro/experiment.hpp"
#include "repro/printed_regression.hpp"

namespace linkgistic::repro::auto_mpg {

// The first four are the paper's, in its order.
inline constexpr std::array methods{
    "GP", "ISGP", "PAVA", "linear", "ISGP variational", "offset", "offset variational"};
inline constexpr std::size_t gp = 0, isgp = 1, pava = 2;

/// A fold of the paper's own algorithm.
struct PrintedScore {
  double gp = 0, mean = 0, mode = 0;  // mean squared errors: GP; ISGP's mean of the lemma, and its mode
  double constant = 0;                // that of the training mean
  double eigenvalue = 0;              // the least of the ISGP's whitened Hessian
};

struct AutoMpgProblem {
  bool small;
  const char* feature;
  std::array<double, 4> printed;  // GP, ISGP, PAVA, linear
};

inline constexpr std::array problems{AutoMpgProblem{false, "acceleration", {2080.9, 2083.4, 2055.0, 2105.9}},
                                     AutoMpgProblem{false, "displacement", {788.1, 780.6, 760.7, 907.2}},
                                     AutoMpgProblem{false, "horsepower", {763.4, 763.9, 755.5, 1002.2}},
                                     AutoMpgProblem{false, "weight", {735.5, 750.7, 769.9, 788.4}},
                                     AutoMpgProblem{true, "acceleration", {2173.3, 2216.8, 2212.9, 2199.6}},
                                     AutoMpgProblem{true, "displacement", {871.0, 849.4, 871.4, 950.9}},
                                     AutoMpgProblem{true, "horsepower", {827.3, 811.8, 826.4, 1033.5}},
                                     AutoMpgProblem{true, "weight", {777.2, 770.7, 835.8, 815.8}}};

/// Printed number over test mean squared error.
constexpr double factor(bool small) { return small ? 42.3 : 41.5; }

/// For each method the mean over the five folds, one entry for each partition.
using ByMethod = std::array<std::vector<double>, methods.size()>;
struct Outcome {
  ByMethod mse, nll;
  std::vector<PrintedScore> printed;                           // a fold
  std::vector<double> printed_gp, printed_mean, printed_mode;  // a partition
};

MonotoneRegressionOptions our_options(PriorKind prior, Inference inference, const Settings& settings);
PrintedRegressionOptions printed_options(PriorKind prior, const Settings& settings);

Outcome run_problem(const AutoMpgProblem& problem, int partitions, const Settings& settings);
/// The mean squared error of a prior with draws from the exact posterior, a partition an entry.
std::vector<double> run_sampled(const AutoMpgProblem& problem, PriorKind prior, int partitions,
                                const Settings& settings);

}  // namespace linkgistic::repro::auto_mpg

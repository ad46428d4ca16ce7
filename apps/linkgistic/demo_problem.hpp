// The contest of the demo: our three priors, pooling adjacent violators and the line on a held-out split.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "report/figure/figure.hpp"
#include "report/regression_figure.hpp"

namespace linkgistic {

struct DemoProblem {
  std::string name;    // of its files
  std::string x, y;    // names on the axes
  RowsForPlot rows;    // all of them
  std::uint64_t seed;  // of the split
};

struct Contestant {
  std::string name;
  double rmse, mae, nll, coverage;  // on the held-out rows
  std::vector<double> curve;        // at the points of Contest::grid
};

struct Contest {
  RowsForPlot train, test;
  std::vector<double> grid;
  std::vector<Contestant> contestants;
};

/// Fits all methods to seven rows of ten, drawn at random, and scores them on the others.
Contest run_contest(const DemoProblem& problem);

/// A table for a terminal; the best of each column has a star.
std::string contest_table(const Contest& contest);

/// The curves of all methods over the training rows.
Figure contest_figure(const DemoProblem& problem, const Contest& contest);

}  // namespace linkgistic

// What a cell of the validation gives, and the page that shows all of them.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "validation/cell.hpp"
#include "validation/statistics.hpp"

namespace linkgistic::validation {

inline constexpr int rank_bins = 20;
using RankCounts = std::array<int, rank_bins>;

/// The 90 % band and the point estimate of one method.
struct MethodResult {
  Mean coverage;  // share of the range that the band covers, over data sets
  Mean width, square_error, milliseconds;
};

struct CellResult {
  Cell cell;
  std::map<std::string, MethodResult> methods;
  std::map<std::string, RankCounts> ranks;  // of the truth among the draws of mcmc, by quantity
  double converged = 0;                     // share of data sets with R-hat < 1.01
  double median_ess = 0;                    // the least bulk or tail effective sample size
  Mean divergences;                         // share of the paths
};

struct RunOptions {
  int sets = 400;
  int harmonics = 8;
  int draws = 250, warmup = 150;
  double seconds = 0;
  int threads = 1;
  std::string command;
};

/// Writes the page (Markdown) and, next to it, the rank histograms as NAME-ranks.svg.
void write_page(const std::filesystem::path& path, const std::vector<CellResult>& results,
                const RunOptions& options);

/// The least p-value over all cells and quantities times their number, at most 1.
double bonferroni(const std::vector<CellResult>& results);

}  // namespace linkgistic::validation

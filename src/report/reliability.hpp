// The reliability diagram: how often what was given probability p came true (CORP: Dimitriadis, Gneiting and
// Jordan, 2021).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// At increasing p: the isotonic fit of the labels on p, and the band it would lie in were p the truth.
struct Reliability {
  std::vector<double> p, observed;
  std::vector<double> lower, upper;  // consistency band, 90 %
};

struct ReliabilityOptions {
  int replicates = 200;
  std::uint64_t seed = 0;
};

/// `y` is 0 or 1; an empty weight counts every row once. A replicate draws labels from p and fits them again.
/// Above 20,000 rows, in runs of rows of like p whose number of labels 1 is drawn as normal.
Reliability reliability(std::span<const double> log_odds, std::span<const std::uint8_t> y,
                        std::span<const double> weight = {}, const ReliabilityOptions& options = {});

/// A band of the probability itself, as the model is sure of it; empty where there is none.
struct ProbabilityBand {
  std::vector<double> p, lower, upper;  // p increasing
};

/// The diagram with its bands, and below it a histogram of p.
Figure reliability_figure(const Reliability& r, std::span<const double> log_odds,
                          std::span<const double> weight, const ProbabilityBand& band = {});

}  // namespace linkgistic

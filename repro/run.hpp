// Runs experiments and writes what came out: one page, the pictures, the numbers and the claims.
#pragma once

#include <string>
#include <vector>

#include "repro/experiment.hpp"

namespace linkgistic::repro {

/// "all", names of experiments, or what they begin with before a '-' ("curves"); a UsageError lists them.
std::vector<const Experiment*> chosen(const std::vector<std::string>& names);

/// Into `folder`, made when it is not there: index.html; NAME-1.svg, .png and .pdf, ... for each picture;
/// numbers.json, every number of the tables, the same for the same settings whenever and however fast it is
/// run; results.md, the claims. They are written after every experiment, of those done. Without its data an
/// experiment is left out with a word on the page, unless it is the only one: then it is an InputError.
void run(const std::vector<const Experiment*>& which, const Settings& settings, const std::string& folder);

}  // namespace linkgistic::repro

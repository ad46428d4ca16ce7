// The flags of every verb that learns a source: its prior, its basis, how it is learned.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <linkgistic/monotone_regression.hpp>

namespace linkgistic {

struct SourceOptions {
  std::string prior, basis, origin, direction;  // words of model/names.hpp
  std::vector<std::string> fix;                 // NAME=VALUE
  int harmonics = 0;
  std::uint64_t seed = 0;
  int threads = 0;
};

/// The flags, with the library's defaults.
void add_source_options(CLI::App& verb, SourceOptions& options);

/// The same as options of a regression.
MonotoneRegressionOptions regression_options(const SourceOptions& options);

/// {"a=1.2", "b=3"} as a map; a UsageError for what is not NAME=NUMBER or comes twice.
std::map<std::string, double> parse_fixed(const std::vector<std::string>& entries);

/// --seed, any 64-bit number.
CLI::Option* add_seed(CLI::App& verb, std::uint64_t& seed, const std::string& meaning);

}  // namespace linkgistic

// The flags of every verb that learns a source: its prior, its basis, how it is learned.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <linkgistic/monotone_regression.hpp>

#include "text/names.hpp"

namespace linkgistic {

struct SourceOptions {
  std::string prior, basis, origin, direction, inference;  // words of text/names.hpp
  std::vector<std::string> fix;                            // NAME=VALUE
  int harmonics = 0;
  int draws = 0;
  std::uint64_t seed = 0;
  int threads = 0;
};

/// The flags, with the library's defaults.
void add_source_options(CLI::App& verb, SourceOptions& options);

/// The same as options of a regression.
MonotoneRegressionOptions regression_options(const SourceOptions& options);

/// {"a=1.2", "b=3"} as a map; a UsageError for what is not NAME=NUMBER or comes twice.
std::map<std::string, double> parse_fixed(const std::vector<std::string>& entries);

/// A flag whose value is one of the words of text/names.hpp.
template <class Enum>
CLI::Option* add_choice(CLI::App& verb, const std::string& flag, std::string& word,
                        const std::map<std::string, Enum>& names, Enum preset, const std::string& meaning) {
  word = name_of(names, preset);
  std::vector<std::string> words;
  words.reserve(names.size());
  for (const auto& entry : names) words.push_back(entry.first);
  return verb.add_option(flag, word, meaning)->check(CLI::IsMember(words))->capture_default_str();
}

/// --seed, any 64-bit number.
CLI::Option* add_seed(CLI::App& verb, std::uint64_t& seed, const std::string& meaning);

}  // namespace linkgistic

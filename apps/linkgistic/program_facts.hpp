// What the parser knows of verbs and options, as plain values: completions and the manual page are made from
// them.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace linkgistic {

struct OptionFacts {
  std::vector<std::string> flags;    // "--model", "-o"; none: an argument
  std::string name;                  // of an argument: "file"
  std::string value;                 // what follows the flag: "TEXT"; empty: nothing does
  std::vector<std::string> choices;  // the only words it may have
  std::string preset;                // its default; empty: none that can be said
  std::string words;                 // what it means
  bool required = false;
};

struct VerbFacts {
  std::string name, words;
  std::vector<OptionFacts> arguments, options;
  std::string footer;
};

/// The verbs in the order of the help, each with its options and, last, --help.
std::vector<VerbFacts> verbs_of(const CLI::App& program);

}  // namespace linkgistic

// Completion of the command line in shells.
#pragma once

#include <string>
#include <vector>

#include "program_facts.hpp"

namespace linkgistic {

/// bash, fish, zsh.
std::vector<std::string> completed_shells();

/// What one of these shells reads to complete verbs, flags and the words of their choices; names of files
/// elsewhere.
std::string completion(const std::string& shell, const std::vector<VerbFacts>& verbs);

}  // namespace linkgistic

// The manual page of the program, in troff.
#pragma once

#include <string>
#include <vector>

#include "program_facts.hpp"

namespace linkgistic {

/// linkgistic(1): `words` say what the program is, `footer` has exit codes and examples.
std::string man_page(const std::string& words, const std::vector<VerbFacts>& verbs,
                     const std::string& footer);

}  // namespace linkgistic

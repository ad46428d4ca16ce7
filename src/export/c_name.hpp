// Names that a function of C can have.
#pragma once

#include <string>

namespace linkgistic {

/// A UsageError if no compiler of C and C++ takes a function of this name behind math.h: it must be an
/// identifier, no keyword, no name of math.h and not main.
void check_c_name(const std::string& name);

}  // namespace linkgistic

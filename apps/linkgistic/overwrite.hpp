// No verb writes over a file that it reads.
#pragma once

#include <CLI/CLI.hpp>

namespace linkgistic {

/// A UsageError where an output that the command line names is one of the files that it names to be read, be
/// it through a link, in a folder or by a pattern. Inputs are all arguments without a flag, and the flags in
/// the table of overwrite.cpp; outputs are the flags in the other table there. A new verb needs nothing more.
void refuse_overwriting(const CLI::App& verb);

}  // namespace linkgistic

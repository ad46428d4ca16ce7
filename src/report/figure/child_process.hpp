// A program run without a shell: text in, text out.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace linkgistic {

struct ChildResult {
  int status;  // exit status, or 128 + the signal that ended it
  std::string output;
  std::string errors;
};

/// Runs the program arguments[0], looked for along PATH, with `input` on its standard input, and waits for
/// its end. Empty if there is no such program. The three streams are unnamed temporary files, not pipes, so
/// that neither a program that stops reading (SIGPIPE) nor a large output (both sides waiting) can hurt.
/// InputError if the system refuses a temporary file or a process.
std::optional<ChildResult> run_child(std::vector<std::string> arguments, const std::string& input);

}  // namespace linkgistic

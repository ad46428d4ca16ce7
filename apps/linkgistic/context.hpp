// Words to the user on standard error, the same for every verb.
#pragma once

#include <string>
#include <vector>

namespace linkgistic {

struct Context {
  bool quiet = false;  // errors only

  void note(const std::string& message) const;
  void warn(const std::string& message) const;
  void warn(const std::vector<std::string>& messages) const;
};

/// "linkgistic: error: message", on one line.
void report_error(const std::string& message);

/// Whether standard error is a terminal, where progress can be shown.
bool on_terminal();

/// Writes to standard error.
void print_error(const std::string& text);

}  // namespace linkgistic

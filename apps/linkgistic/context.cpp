#include "context.hpp"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include "text/utf8.hpp"

namespace linkgistic {

void Context::note(const std::string& message) const {
  if (!quiet) print_error("linkgistic: " + visible(message) + "\n");
}

void Context::warn(const std::string& message) const { note("warning: " + message); }

void Context::warn(const std::vector<std::string>& messages) const {
  for (const std::string& message : messages) warn(message);
}

void report_error(const std::string& message) {
  std::string line = message.substr(0, message.find_last_not_of('\n') + 1);
  std::replace(line.begin(), line.end(), '\n', ' ');
  print_error("linkgistic: error: " + visible(line) + "\n");
}

bool on_terminal() { return ::isatty(STDERR_FILENO) == 1; }

void print_error(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace linkgistic

// Numbers and lines as the summaries show them.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>

namespace linkgistic {

/// `digits` significant digits.
inline std::string number(double value, int digits = 5) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  return buffer;
}

/// An interval with three digits.
inline std::string range(double lower, double upper) { return number(lower, 3) + " to " + number(upper, 3); }

/// The shortest text that reads back as the same number.
inline std::string exact(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// `text` and spaces up to `width`, one at least.
inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

/// "  name             value\n".
inline std::string line(const std::string& name, const std::string& value) {
  return padded("  " + name, 22) + value + "\n";
}

}  // namespace linkgistic

// Numbers and lines as the summaries show them.
#pragma once

#include <algorithm>
#include <string>

#include "text/print_number.hpp"

namespace linkgistic {

/// An interval with three digits.
inline std::string range(double lower, double upper) { return number(lower, 3) + " to " + number(upper, 3); }

/// `text` and spaces up to `width`, one at least.
inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

/// The name that the fitted data had for a column, or its role.
template <class Fit>
std::string column_of(const Fit& fit, const std::string& role) {
  const auto it = fit.columns().find(role);
  return it == fit.columns().end() ? role : it->second;
}

/// "  name             value\n".
inline std::string line(const std::string& name, const std::string& value) {
  return padded("  " + name, 22) + value + "\n";
}

}  // namespace linkgistic

// Numbers in the names of losses and in messages: the shortest text that reads back to the same double.
#pragma once

#include <charconv>
#include <cstdio>
#include <string>

namespace linkgistic {

inline std::string shortest(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  return {text, end};
}

/// `digits` significant digits.
inline std::string number(double value, int digits = 5) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  return buffer;
}

}  // namespace linkgistic

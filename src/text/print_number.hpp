// Numbers in the names of losses and in messages: the shortest text that reads back to the same double.
#pragma once

#include <charconv>
#include <string>
#include <system_error>

namespace linkgistic {

inline std::string shortest(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  return {text, end};
}

}  // namespace linkgistic

// Text and attributes of HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace linkgistic {

/// With the characters that mean something there written as entities.
inline std::string escaped(std::string_view text) {
  constexpr std::string_view special = "&<>\"";
  constexpr std::string_view entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
  std::string result;
  for (const char c : text) {
    const std::size_t which = special.find(c);
    result += which == special.npos ? std::string_view(&c, 1) : entities[which];
  }
  return result;
}

/// With the space before it.
inline std::string attribute(const std::string& name, std::string_view value) {
  return " " + name + "=\"" + escaped(value) + "\"";
}

}  // namespace linkgistic

// Text and attributes of HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace linkgistic {

/// With the characters that mean something there written as entities.
inline std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// With the space before it.
inline std::string attribute(const std::string& name, std::string_view value) {
  return " " + name + "=\"" + escaped(value) + "\"";
}

}  // namespace linkgistic

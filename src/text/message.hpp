// Pieces of error messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace linkgistic {

/// Without spaces, tabs and carriage returns at either end.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// 'text' in quotes, fit for one line: at most 40 bytes of it, control characters as '?'.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::size_t size = text.size() < longest ? text.size() : longest;
  // Not through the middle of a UTF-8 character, whose later bytes are 10xxxxxx.
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  std::string out = "'";
  for (const char c : text.substr(0, size)) out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return out + (size < text.size() ? "...'" : "'");
}

/// "1 field", "3 fields".
inline std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace linkgistic

// Pieces of error messages.
#pragma once

#include <cstddef>
#include <span>
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

/// word(item) of every item, with `between` between them.
template <class Items, class Word>
std::string joined(const Items& items, std::string_view between, const Word& word) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += between;
    text += word(item);
  }
  return text;
}
template <class Items>
std::string joined(const Items& items, std::string_view between = ", ") {
  return joined(items, between, [](const auto& item) { return item; });
}

/// The first names in quotes; where there are more, `rest` behind them.
inline std::string listed(std::span<const std::string> names, const std::string& rest = ", ...",
                          std::size_t most = 20) {
  const std::string text = joined(names.first(names.size() < most ? names.size() : most), ", ", in_quotes);
  return names.size() > most ? text + rest : text;
}

/// "1 field", "3 fields".
inline std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace linkgistic

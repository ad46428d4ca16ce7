// Text in UTF-8: whether it is, and how it is shown on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace linkgistic {

/// The number of bytes of the character that begins at `at`, or 0 if none does: what is too short, too long
/// for its character, a surrogate or beyond U+10FFFF is not UTF-8.
inline std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool nobody = (first == 0xED && byte(1) >= 0xA0) || (first == 0xF4 && byte(1) >= 0x90);
  return overlong || nobody ? 0 : length;
}

inline bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

/// With control characters, of ASCII and of Latin-1, as \u001b and bytes that are not UTF-8 as U+FFFD, so
/// that no name of a column or file can steer a terminal. Line ends and tabs stay.
std::string visible(std::string_view text);

}  // namespace linkgistic

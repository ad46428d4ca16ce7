#include "text/utf8.hpp"

#include <cstdio>

namespace linkgistic {

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto escaped = [&out](unsigned code) {
    char buffer[8];
    std::snprintf(buffer, sizeof buffer, "\\u%04x", code);
    out += buffer;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool stays = byte == '\n' || byte == '\t';
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if ((byte < 0x20 && !stays) || byte == 0x7F) {
      escaped(byte);
    } else if (byte == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0) {  // U+0080 to U+009F
      escaped(static_cast<unsigned char>(text[at + 1]));
    } else {
      out += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace linkgistic

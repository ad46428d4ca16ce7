// Text in UTF-8, held against the encoding of every code point.
#include "text/utf8.hpp"

#include <string>

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

std::string encoded(unsigned code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

TEST(Utf8, HasEveryCodePointButSurrogates) {
  for (unsigned code = 0; code < 0x120000; ++code) {
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    const std::string text = encoded(code);
    ASSERT_EQ(is_utf8(text), !surrogate && code <= 0x10FFFF) << code;
    if (text.size() > 1) {
      ASSERT_FALSE(is_utf8(text.substr(0, text.size() - 1))) << code;
      ASSERT_FALSE(is_utf8(text.substr(1))) << code;
    }
  }
  EXPECT_FALSE(is_utf8("\xC0\x80"));          // 0 in two bytes
  EXPECT_FALSE(is_utf8("\xE0\x80\x80"));      // in three
  EXPECT_FALSE(is_utf8("\xF0\x80\x80\x80"));  // in four
  EXPECT_FALSE(is_utf8("\xFF"));
}

TEST(Utf8, ShowsControlCharactersAndKeepsTheRest) {
  EXPECT_EQ(visible("a\tb\n\xC3\xA9 \xE2\x82\xAC"), "a\tb\n\xC3\xA9 \xE2\x82\xAC");
  EXPECT_EQ(visible("\x1b[2J\r\x7f\xC2\x9b\xC2\xA0"), "\\u001b[2J\\u000d\\u007f\\u009b\xC2\xA0");
  EXPECT_EQ(visible("n\xE9"), "n\xEF\xBF\xBD");
  for (unsigned code = 0; code < 0xA0; ++code)
    EXPECT_EQ(visible(visible(encoded(code))), visible(encoded(code)));
}

}  // namespace
}  // namespace linkgistic

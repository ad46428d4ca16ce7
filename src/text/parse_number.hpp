// Numbers written as text.
#pragma once

#include <string_view>

namespace linkgistic {

enum class NumberKind { finite, infinite, nan, text };

/// Reads a decimal number; spaces around it are allowed. inf and numbers that overflow a double are infinite;
/// numbers that underflow are 0. NaN may be in any case. Everything else, also an empty text, is text.
NumberKind parse_number(std::string_view text, double& value);

}  // namespace linkgistic

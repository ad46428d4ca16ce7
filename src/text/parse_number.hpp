// Numbers written as text.
#pragma once

#include <string_view>

namespace linkgistic {

enum class NumberKind { finite, infinite, nan, text };

/// Reads a decimal number, spaces around it allowed. Infinite are inf and what overflows a double; what
/// underflows is 0. NaN may be in any case; what is not a number, nothing at all too, is text.
NumberKind parse_number(std::string_view text, double& value);

}  // namespace linkgistic

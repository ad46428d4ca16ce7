// Numbers written as text.
#pragma once

#include <string_view>

namespace linkgistic {

enum class NumberKind { finite, missing, infinite, text };

/// Reads a decimal number, spaces around it allowed. Missing are: nothing at all, NA, ? and NaN (any case),
/// which is what other programs write for a missing number; `value` is then NaN. Infinite are inf and what
/// overflows a double; what underflows is 0.
NumberKind parse_number(std::string_view text, double& value);

}  // namespace linkgistic

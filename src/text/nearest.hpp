// The name that was probably meant.
#pragma once

#include <span>
#include <string>

namespace linkgistic {

/// The name that takes the fewest changes of a letter to be `wanted`, whatever the case of letters; null
/// where none is near.
const std::string* nearest(std::span<const std::string> names, const std::string& wanted);

}  // namespace linkgistic

// The instructions that the kernels run on: another set has another vector width, and so other last bits.
#pragma once

#include <string>

namespace linkgistic {

/// The best of this machine's, by Highway's name.
std::string instruction_set();

}  // namespace linkgistic

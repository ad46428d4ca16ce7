// Columns by name.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace linkgistic {

/// The place of the one column called `wanted`. Throws InputError that begins with `table` when there is none
/// (with the names there are, and the nearest) or more than one.
std::size_t find_column(const std::string& table, std::span<const std::string> names,
                        const std::string& wanted);

}  // namespace linkgistic

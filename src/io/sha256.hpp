// SHA-256 of a file (FIPS 180-4), by libmd.
#pragma once

#include <string>

namespace linkgistic {

/// 64 hexadecimal digits; InputError when the file cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace linkgistic

// The bytes of a file: mapped into memory, or read into a buffer when it is gzip or no regular file.
#pragma once

#include <cstdint>
#include <string>

#include "data/shared_span.hpp"

namespace linkgistic {

/// All bytes of the file at `path` ("-": standard input), unpacked when they are gzip. A missing, truncated
/// or damaged file is an InputError.
SharedSpan<std::uint8_t> read_file_bytes(const std::string& path);

}  // namespace linkgistic

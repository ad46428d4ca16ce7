// The bytes of a file: mapped into memory, or inflated into a buffer when the file is gzip.
#pragma once

#include <cstdint>
#include <string>

#include "data/shared_span.hpp"

namespace linkgistic {

/// All bytes of the file at `path`. Gzip is recognised by its first two bytes, not by the name; several
/// members after each other are read as one. A missing, truncated or damaged file is an InputError.
SharedSpan<std::uint8_t> read_file_bytes(const std::string& path);

}  // namespace linkgistic

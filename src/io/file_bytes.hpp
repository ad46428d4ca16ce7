// The bytes of a file: mapped into memory, or read into a buffer if it is gzip or not a regular file.
#pragma once

#include <cstdint>
#include <string>

#include "io/byte_source.hpp"
#include "io/shared_span.hpp"
#include "io/spill_buffer.hpp"

namespace linkgistic {

/// All bytes of the file at `path` ("-": standard input), unpacked when they are gzip. A missing, truncated
/// or damaged file is an InputError. What has to be unpacked goes to a temporary file beyond `budget` bytes.
SharedSpan<std::uint8_t> read_file_bytes(const std::string& path,
                                         std::size_t budget = default_memory_budget());

/// All bytes of a source that is open.
SharedSpan<std::uint8_t> read_all_bytes(ByteSource& source, std::size_t budget = default_memory_budget());

}  // namespace linkgistic

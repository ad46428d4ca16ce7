// The bytes of a file: read into a buffer, or mapped where they are more than the memory budget. A file that
// another program cuts short harms a fit of bytes in a buffer no more.
#pragma once

#include <cstdint>
#include <string>

#include "io/byte_source.hpp"
#include "io/shared_span.hpp"
#include "io/spill_buffer.hpp"

namespace linkgistic {

/// All bytes of the file at `path` ("-": standard input), unpacked when they are gzip. A missing, truncated
/// or damaged file is an InputError. Beyond `budget` bytes a file is mapped, or goes to a temporary file if
/// it has to be unpacked or cannot be mapped.
SharedSpan<std::uint8_t> read_file_bytes(const std::string& path,
                                         std::size_t budget = default_memory_budget());
/// The same of a file that is open: `source` is that of `path`, and a pipe is not opened twice.
SharedSpan<std::uint8_t> read_file_bytes(ByteSource& source, const std::string& path, std::size_t budget);

/// All bytes of a source that is open.
SharedSpan<std::uint8_t> read_all_bytes(ByteSource& source, std::size_t budget = default_memory_budget());

}  // namespace linkgistic

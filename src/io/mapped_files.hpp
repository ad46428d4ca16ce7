// Input files that are mapped into memory, by address: a page of one that has become shorter is a SIGBUS, and
// the program that handles it can name the file.
#pragma once

#include <cstdint>
#include <string>

#include "io/shared_span.hpp"

namespace linkgistic {

/// The bytes of a file as they lie on the disk. An InputError says why it cannot be mapped.
SharedSpan<std::uint8_t> map_file(const std::string& path);

/// The name of the mapped file that has this address, or null. A signal handler may call it.
const char* mapped_file_at(const void* address) noexcept;

}  // namespace linkgistic

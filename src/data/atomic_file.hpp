// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace linkgistic {

/// Writes `content` beside the path and renames it there, so that no reader sees half a file and a failure
/// leaves the old file, if any, as it was; the permissions of a file replaced are kept. A link is followed:
/// the file it points to is replaced. Something that is not a plain file, such as /dev/stdout, is written to
/// directly. InputError with the path and the system's words.
void write_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace linkgistic

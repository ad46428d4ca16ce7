// The bytes of a file: read into a buffer, or mapped where they are more than the memory budget.
#include "io/file_bytes.hpp"

#include <filesystem>
#include <system_error>

#include "io/mapped_files.hpp"

namespace linkgistic {

SharedSpan<std::uint8_t> read_file_bytes(const std::string& path, std::size_t budget) {
  return read_file_bytes(*open_source(path), path, budget);
}

SharedSpan<std::uint8_t> read_file_bytes(ByteSource& source, const std::string& path, std::size_t budget) {
  std::error_code none;
  if (path != "-" && std::filesystem::is_regular_file(path, none) &&
      std::filesystem::file_size(path, none) > budget) {
    SharedSpan<std::uint8_t> bytes = map_file(path);
    const bool gzip = bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
    if (!gzip) return bytes;
  }
  source.rewind();
  return read_all_bytes(source, budget);
}

SharedSpan<std::uint8_t> read_all_bytes(ByteSource& source, std::size_t budget) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  SpillBuffer<std::uint8_t> bytes(budget);
  for (;;) {
    const std::size_t have = bytes.size();
    const std::size_t got = source.read({reinterpret_cast<char*>(bytes.extend(piece)), piece});
    bytes.shrink(have + got);
    if (got < piece) return bytes.share();
  }
}

}  // namespace linkgistic

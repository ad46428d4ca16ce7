// The bytes of a file: mapped into memory, or read into a buffer when it is gzip or no regular file.
#include "io/file_bytes.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

struct Descriptor {
  explicit Descriptor(int value) : fd(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  int fd;
};

SharedSpan<std::uint8_t> map_file(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
  struct stat info = {};
  if (fstat(file.fd, &info) != 0) throw InputError(path + ": " + std::strerror(errno));
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return {};
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (address == MAP_FAILED) throw InputError(path + ": cannot be mapped: " + std::strerror(errno));
  const std::shared_ptr<const void> owner(address, [size](void* p) { munmap(p, size); });
  return {owner, {static_cast<const std::uint8_t*>(address), size}};
}

}  // namespace

SharedSpan<std::uint8_t> read_file_bytes(const std::string& path, std::size_t budget) {
  if (path == "-" || !std::filesystem::is_regular_file(path))
    return read_all_bytes(*open_source(path), budget);
  SharedSpan<std::uint8_t> bytes = map_file(path);
  const bool gzip = bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
  return gzip ? read_all_bytes(*open_source(path), budget) : bytes;
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

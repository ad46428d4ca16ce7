// The bytes of a file: mapped into memory, or read into a buffer when it is gzip or no regular file.
#include "data/file_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "data/byte_source.hpp"

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

SharedSpan<std::uint8_t> read_source(const std::string& path) {
  const std::unique_ptr<ByteSource> source = open_source(path);
  std::vector<std::uint8_t> bytes;
  std::size_t size = 0;
  do {
    bytes.resize(std::max<std::size_t>(2 * size, 1 << 20));
    size += source->read({reinterpret_cast<char*>(bytes.data()) + size, bytes.size() - size});
  } while (size == bytes.size());
  bytes.resize(size);
  bytes.shrink_to_fit();
  return bytes;
}

}  // namespace

SharedSpan<std::uint8_t> read_file_bytes(const std::string& path) {
  if (path == "-" || !std::filesystem::is_regular_file(path)) return read_source(path);
  SharedSpan<std::uint8_t> bytes = map_file(path);
  const bool gzip = bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
  return gzip ? read_source(path) : bytes;
}

}  // namespace linkgistic

#include "io/mapped_files.hpp"

#include <cerrno>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "io/live_list.hpp"

namespace linkgistic {
namespace {

struct Mapped {
  std::string name;
  const std::uint8_t* begin = nullptr;
  std::size_t size = 0;
};

LiveList<Mapped> mapped_files;

struct Descriptor {
  explicit Descriptor(int value) : fd(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  int fd;
};

}  // namespace

SharedSpan<std::uint8_t> map_file(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
  struct stat info = {};
  if (fstat(file.fd, &info) != 0) throw InputError(path + ": " + std::strerror(errno));
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return {};
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (address == MAP_FAILED) throw InputError(path + ": cannot be mapped: " + std::strerror(errno));
  const auto* const bytes = static_cast<const std::uint8_t*>(address);
  const std::shared_ptr<const Mapped> mapped(new Mapped{path, bytes, size}, [address](const Mapped* own) {
    mapped_files.leave(own);
    munmap(address, own->size);
    delete own;
  });
  mapped_files.enter(mapped.get());
  return {mapped, {bytes, size}};
}

const char* mapped_file_at(const void* address) noexcept {
  const auto* const byte = static_cast<const std::uint8_t*>(address);
  const char* name = nullptr;
  mapped_files.each([&](const Mapped* file) {
    if (byte >= file->begin && byte < file->begin + file->size) name = file->name.c_str();
  });
  return name;
}

}  // namespace linkgistic

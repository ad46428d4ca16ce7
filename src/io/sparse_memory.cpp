#include "io/sparse_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "io/spill_buffer.hpp"

namespace linkgistic {
namespace {

// A file whose space from `first` to `last` is reserved.
int file_of(std::size_t bytes, std::size_t first, std::size_t last) {
  const int file = unnamed_file();
  int error = ::ftruncate(file, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  if (error == 0)
    error = ::posix_fallocate(file, static_cast<off_t>(first), static_cast<off_t>(last - first));
  if (error == 0) return file;
  ::close(file);
  throw InputError("no room for a temporary file of " + std::to_string(last - first) +
                   " bytes: " + std::generic_category().message(error) + " (TMPDIR names another folder)");
}

}  // namespace

std::shared_ptr<std::byte> sparse_memory(std::size_t bytes, std::size_t first, std::size_t last,
                                         std::size_t budget) {
  bytes = std::max<std::size_t>(bytes, 1);
  const bool in_file = last - first > budget;
  const int file = in_file ? file_of(bytes, first, last) : -1;
  void* const address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                               in_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, file, 0);
  if (file >= 0) ::close(file);  // the mapping keeps it
  if (address == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<std::byte*>(address), [bytes](std::byte* p) { ::munmap(p, bytes); }};
}

}  // namespace linkgistic

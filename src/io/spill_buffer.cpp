#include "io/spill_buffer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

constexpr std::size_t least_capacity = std::size_t{1} << 16;

std::string temporary_folder() {
  const char* const chosen = std::getenv("TMPDIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/var/tmp";
}

[[noreturn]] void fail(const std::string& what, int error) {
  throw InputError(temporary_folder() + ": " + what + ": " + std::generic_category().message(error) +
                   " (TMPDIR names another folder)");
}

}  // namespace

int unnamed_file() {
#ifdef O_TMPFILE
  // A file that never has a name is not left behind by a process that is killed; not all file systems have
  // them.
  const int nameless = ::open(temporary_folder().c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;
#endif
  std::string path = temporary_folder() + "/linkgistic-XXXXXX";
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) fail("no temporary file can be made there for data larger than the memory budget", errno);
  ::unlink(path.c_str());
  return file;
}

std::size_t default_memory_budget() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes) / 2
                                : std::size_t{1} << 30;
}

// Memory without a file, or a file and its place in memory.
class SpillBytes::Mapping {
 public:
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (address_ != nullptr) ::munmap(address_, capacity_);
    if (file_ >= 0) ::close(file_);
  }

  [[nodiscard]] std::byte* address() const { return static_cast<std::byte*>(address_); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] bool in_file() const { return file_ >= 0; }

  void open_file() { file_ = unnamed_file(); }

  void grow(std::size_t capacity) {
    if (in_file()) {
      const int error = ::posix_fallocate(file_, 0, static_cast<off_t>(capacity));
      if (error != 0) fail("no room for a temporary file of " + std::to_string(capacity) + " bytes", error);
    }
    void* const grown = address_ != nullptr
                            ? ::mremap(address_, capacity_, capacity, MREMAP_MAYMOVE)
                            : ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                                     in_file() ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file_, 0);
    if (grown == MAP_FAILED) throw std::bad_alloc();
    address_ = grown;
    capacity_ = capacity;
  }

 private:
  void* address_ = nullptr;
  std::size_t capacity_ = 0;
  int file_ = -1;
};

SpillBytes::SpillBytes(std::size_t budget) : budget_(budget), mapping_(std::make_shared<Mapping>()) {}
SpillBytes::~SpillBytes() = default;
SpillBytes::SpillBytes(SpillBytes&&) noexcept = default;

std::byte* SpillBytes::data() const { return mapping_->address(); }
bool SpillBytes::in_file() const { return mapping_->in_file(); }
std::shared_ptr<const void> SpillBytes::share() { return mapping_; }

std::byte* SpillBytes::extend(std::size_t count) {
  if (count > mapping_->capacity() - size_) {
    // A file's space is reserved: it grows by a quarter, memory that is not touched costs nothing.
    const std::size_t needed = size_ + count;
    reserve(std::max({needed, in_file() ? size_ + size_ / 4 : 2 * size_, least_capacity}));
  }
  std::byte* const added = data() + size_;
  size_ += count;
  return added;
}

void SpillBytes::shrink(std::size_t size) {
  std::memset(data() + size, 0, size_ - size);
  size_ = size;
}

void SpillBytes::reserve(std::size_t capacity) {
  if (!in_file() && capacity > budget_) {
    const auto spilled = std::make_shared<Mapping>();
    spilled->open_file();
    spilled->grow(capacity);
    if (size_ > 0) std::memcpy(spilled->address(), data(), size_);
    mapping_ = spilled;
  } else {
    mapping_->grow(capacity);
  }
}

}  // namespace linkgistic

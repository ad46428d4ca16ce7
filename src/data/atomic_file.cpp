#include "data/atomic_file.hpp"

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw InputError("cannot write " + path.string() + ": " + std::generic_category().message(error));
}

/// 0, or the error that stopped the writing.
int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(file, content.data(), content.size());
    if (n < 0 && errno != EINTR) return errno;
    if (n > 0) content.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

int write_in_place(const fs::path& path, std::string_view content) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int error = write_all(file, content);
  return ::close(file) != 0 && error == 0 ? errno : error;
}

/// A new file beside the target, with the permissions a new file gets; -1 and errno on failure.
int open_beside(const fs::path& target, std::string& name) {
  static std::atomic<unsigned> count{0};
  for (;;) {
    name = target.string() + '.' + std::to_string(::getpid()) + '.' + std::to_string(count++);
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

}  // namespace

void write_atomically(const fs::path& path, std::string_view content) {
  std::error_code none;
  if (fs::is_directory(path, none)) fail(path, EISDIR);
  if (fs::exists(path, none) && !fs::is_regular_file(path, none)) {
    if (const int error = write_in_place(path, content)) fail(path, error);
    return;
  }
  const fs::path target = fs::is_symlink(path, none) ? fs::weakly_canonical(path) : path;
  std::string temporary;
  const int file = open_beside(target, temporary);
  if (file < 0) fail(path, errno);
  int error = write_all(file, content);
  struct stat old;
  if (error == 0 && ::stat(target.c_str(), &old) == 0 && ::fchmod(file, old.st_mode & 07777) != 0)
    error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  fail(path, error);
}

}  // namespace linkgistic

// Temporary file, fsync, rename.
#include "io/atomic_file.hpp"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "io/live_list.hpp"

namespace linkgistic {
namespace {

constexpr std::string_view mark = ".tmp-";

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return target + std::string(mark) + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

LiveList<char> temporaries;  // their names

// Whether `name` is TARGET.tmp-PROCESS-NUMBER of a process that is no more.
bool is_orphan(const std::string& name, const std::string& target) {
  if (!name.starts_with(target + std::string(mark))) return false;
  const char* const first = name.data() + target.size() + mark.size();
  const char* const end = name.data() + name.size();
  pid_t process = 0;
  unsigned number = 0;
  const auto [dash, bad] = std::from_chars(first, end, process);
  if (bad != std::errc() || dash == end || *dash != '-' || process <= 0) return false;
  const auto [last, worse] = std::from_chars(dash + 1, end, number);
  if (worse != std::errc() || last != end) return false;
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

void remove_orphans(const std::string& target) {
  const std::filesystem::path path(target);
  const auto folder = path.parent_path();
  std::error_code ignored;
  for (std::filesystem::directory_iterator at(folder.empty() ? "." : folder, ignored), end;
       !ignored && at != end; at.increment(ignored)) {
    if (is_orphan(at->path().filename().string(), path.filename().string())) ::unlink(at->path().c_str());
  }
}

}  // namespace

void remove_temporaries() noexcept {
  temporaries.each([](const char* name) { ::unlink(name); });
}

AtomicFile::AtomicFile(const std::string& path, unsigned permissions) : path_(path), target_(path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw InputError(path + ": cannot write: is a folder");
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail();
    return;
  }
  if (exists) {
    std::error_code ignored;
    if (const auto real = std::filesystem::canonical(path, ignored); !real.empty()) target_ = real.string();
  }
  remove_orphans(target_);
  const mode_t mode = exists ? status.st_mode & all_may_write : permissions;
  do {
    temporary_ = temporary_name(target_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail();
  }
  temporaries.enter(temporary_.c_str());
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  forget();
}

// Removes the temporary file where it still has its own name.
void AtomicFile::forget() {
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  temporaries.leave(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail();
    }
  }
}

void AtomicFile::commit() {
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail();
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail();
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  forget();
  // The new name itself is durable once the folder is; a file system that cannot sync folders is none the
  // worse.
  const auto folder = std::filesystem::path(target_).parent_path();
  const int folder_descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_descriptor >= 0) {
    ::fsync(folder_descriptor);
    ::close(folder_descriptor);
  }
}

void AtomicFile::fail() const {
  throw InputError(path_ + ": cannot write: " + std::generic_category().message(errno));
}

void write_atomically(const std::string& path, std::string_view text, unsigned permissions) {
  AtomicFile file(path, permissions);
  file.write(text);
  file.commit();
}

}  // namespace linkgistic

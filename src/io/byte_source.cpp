// Files, pipes and memory as sources of bytes.
#include "io/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linkgistic/error.hpp>

#include "io/gzip_source.hpp"

namespace linkgistic {
namespace {

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw InputError(name + ": " + what + ": " + std::generic_category().message(errno));
}

class FileSource final : public ByteSource {
 public:
  FileSource(std::string name, int descriptor) : ByteSource(std::move(name)), descriptor_(descriptor) {}
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }

  std::size_t read(std::span<char> out) override {
    std::size_t have = 0;
    while (have < out.size()) {
      const ssize_t got = ::read(descriptor_, out.data() + have, out.size() - have);
      if (got == 0) break;
      if (got > 0) {
        have += static_cast<std::size_t>(got);
      } else if (errno != EINTR) {
        fail(name(), "cannot read");
      }
    }
    return have;
  }

  void rewind() override {
    if (::lseek(descriptor_, 0, SEEK_SET) < 0) fail(name(), "cannot read again");
  }

 private:
  int descriptor_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::string bytes) : ByteSource(std::move(name)), bytes_(std::move(bytes)) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t count = std::min(out.size(), bytes_.size() - position_);
    std::copy_n(bytes_.data() + position_, count, out.data());
    position_ += count;
    return count;
  }

  void rewind() override { position_ = 0; }

 private:
  std::string bytes_;
  std::size_t position_ = 0;
};

std::string read_all(ByteSource& source) {
  std::string bytes;
  for (std::size_t have = 0;;) {
    bytes.resize(std::max<std::size_t>(2 * have, 1 << 16));
    have += source.read(std::span(bytes).subspan(have));
    if (have < bytes.size()) {
      bytes.resize(have);
      return bytes;
    }
  }
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source) {
  char magic[2] = {};
  const std::size_t count = source->read(magic);
  source->rewind();
  if (count == 2 && magic[0] == '\x1f' && magic[1] == '\x8b') {
    return std::make_unique<GzipSource>(std::move(source));
  }
  return source;
}

}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "stdin" : path;
  const int descriptor = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(name, "cannot open");
  auto file = std::make_unique<FileSource>(name, descriptor);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(name, "cannot open");
  if (S_ISDIR(status.st_mode)) throw InputError(name + ": is a folder, not a file");
  if (!is_stdin && S_ISREG(status.st_mode)) return unpacked(std::move(file));
  return memory_source(name, read_all(*file));
}

std::unique_ptr<ByteSource> memory_source(std::string name, std::string bytes) {
  return unpacked(std::make_unique<MemorySource>(std::move(name), std::move(bytes)));
}

}  // namespace linkgistic

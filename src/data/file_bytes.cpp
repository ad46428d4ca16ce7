// The bytes of a file: mapped into memory, or inflated into a buffer when the file is gzip.
#include "data/file_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

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
  if (!S_ISREG(info.st_mode)) throw InputError(path + ": is not a regular file");
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return {};
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (address == MAP_FAILED) throw InputError(path + ": cannot be mapped: " + std::strerror(errno));
  const std::shared_ptr<const void> owner(address, [size](void* p) { munmap(p, size); });
  return {owner, {static_cast<const std::uint8_t*>(address), size}};
}

struct Inflater {
  Inflater() {
    // 15 bits of window, +16: expect a gzip header and check its CRC.
    if (inflateInit2(&stream, 15 + 16) != Z_OK) throw InputError("zlib cannot be initialised");
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream); }
  z_stream stream = {};
};

constexpr std::size_t inflate_step = std::size_t{1} << 30;  // zlib counts in 32 bits

// The last four bytes of a gzip file are the size of its last member modulo 2^32: a first guess only.
std::size_t size_hint(std::span<const std::uint8_t> packed) {
  if (packed.size() < 18) return 1;
  const std::uint8_t* tail = packed.data() + packed.size() - 4;
  const std::size_t hint = tail[0] | tail[1] << 8 | tail[2] << 16 | std::size_t{tail[3]} << 24;
  return std::clamp<std::size_t>(hint + 1, 1024, packed.size() * 1032);  // deflate packs by at most 1032
}

std::vector<std::uint8_t> inflate_all(const std::string& path, std::span<const std::uint8_t> packed) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::vector<std::uint8_t> out(size_hint(packed));
  std::size_t read = 0;
  std::size_t written = 0;
  bool progress = true;
  while (progress) {
    if (written == out.size()) out.resize(2 * out.size());
    const std::size_t in_step = std::min(packed.size() - read, inflate_step);
    const std::size_t out_step = std::min(out.size() - written, inflate_step);
    stream.next_in = const_cast<Bytef*>(packed.data() + read);  // zlib's interface is not const
    stream.avail_in = static_cast<uInt>(in_step);
    stream.next_out = out.data() + written;
    stream.avail_out = static_cast<uInt>(out_step);
    const int status = inflate(&stream, Z_NO_FLUSH);
    progress = stream.avail_in < in_step || stream.avail_out < out_step;
    read += in_step - stream.avail_in;
    written += out_step - stream.avail_out;
    if (status == Z_STREAM_END) {
      if (read == packed.size()) {
        out.resize(written);
        return out;
      }
      inflateReset(&stream);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw InputError(path + ": damaged gzip data near byte " + std::to_string(read) +
                       (stream.msg != nullptr ? std::string(": ") + stream.msg : std::string()));
    }
  }
  throw InputError(path + ": the gzip data end too early (after " + std::to_string(written) +
                   " bytes of contents): the file is truncated");
}

}  // namespace

SharedSpan<std::uint8_t> read_file_bytes(const std::string& path) {
  SharedSpan<std::uint8_t> bytes = map_file(path);
  if (bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) return inflate_all(path, bytes.span());
  return bytes;
}

}  // namespace linkgistic

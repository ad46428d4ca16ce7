// Gzip by zlib's inflate.
#include "io/gzip_source.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {
constexpr std::size_t input_bytes = 1 << 17;
constexpr int gzip_window = 15 + 16;  // the largest window, gzip head and checksum
}  // namespace

GzipSource::GzipSource(std::unique_ptr<ByteSource> packed)
    : ByteSource(packed->name()), packed_(std::move(packed)), input_(input_bytes) {
  if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
}

GzipSource::~GzipSource() { inflateEnd(&stream_); }

std::size_t GzipSource::read(std::span<char> out) {
  std::size_t have = 0;
  while (have < out.size()) {
    if (stream_.avail_in == 0 && !refill()) {
      if (between_members_) break;
      fail("gzip data end too early, the file is truncated");
    }
    const std::size_t room = std::min<std::size_t>(out.size() - have, std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + have);
    stream_.avail_out = static_cast<uInt>(room);
    between_members_ = false;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    have += room - stream_.avail_out;
    if (status == Z_STREAM_END) {
      inflateReset(&stream_);
      between_members_ = true;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail(std::string("damaged gzip data: ") + (stream_.msg != nullptr ? stream_.msg : zError(status)));
    }
  }
  return have;
}

void GzipSource::rewind() {
  packed_->rewind();
  stream_.avail_in = 0;
  between_members_ = false;
  inflateReset(&stream_);
}

bool GzipSource::refill() {
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
  stream_.avail_in = static_cast<uInt>(packed_->read(input_));
  return stream_.avail_in > 0;
}

void GzipSource::fail(const std::string& what) const { throw InputError(name() + ": " + what); }

}  // namespace linkgistic

// The unpacked bytes of a gzip source, of one member or several.
#pragma once

#include <memory>
#include <vector>

#include <zlib.h>

#include "io/byte_source.hpp"

namespace linkgistic {

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> packed);
  ~GzipSource() override;

  std::size_t read(std::span<char> out) override;
  void rewind() override;

 private:
  bool refill();
  [[noreturn]] void fail(const std::string& what) const;

  std::unique_ptr<ByteSource> packed_;
  std::vector<char> input_;
  z_stream stream_{};
  bool between_members_ = false;
};

}  // namespace linkgistic

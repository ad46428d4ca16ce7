// A source of bytes: a file, standard input or memory. Gzip is unpacked, and the bytes can be read more than
// once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace linkgistic {

class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// The name that messages use: the path as it was given, or "stdin".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Fills `out`; fewer bytes than requested mean the end.
  virtual std::size_t read(std::span<char> out) = 0;
  /// Starts again at the first byte.
  virtual void rewind() = 0;

 private:
  std::string name_;
};

/// Opens a file, or standard input for "-". A regular file is read as it is needed; what cannot be read twice
/// (a pipe, a terminal) is first read into memory. Gzip is known by its first bytes, whatever the name.
std::unique_ptr<ByteSource> open_source(const std::string& path);

/// The same over bytes in memory.
std::unique_ptr<ByteSource> memory_source(std::string name, std::string bytes);

}  // namespace linkgistic

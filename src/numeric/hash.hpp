// A 64-bit hash of bytes, which distinguishes them and is not cryptographic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace linkgistic {

/// Multiplies and folds, eight bytes at a time.
class Hash {
 public:
  Hash() = default;
  /// Goes on from the value of another.
  explicit Hash(std::uint64_t state) : state_(state) {}

  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9E3779B97F4A7C15U;
    state_ ^= state_ >> 32;
  }
  void add(const void* data, std::size_t size) {
    add_words(data, size);
    add(size);
  }
  /// The words alone: of pieces of whole words, one after the other, what all of them have.
  void add_words(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + i, std::min<std::size_t>(8, size - i));
      add(word);
    }
  }
  template <class T>
  void add(std::span<const T> values) {
    add(values.data(), values.size_bytes());
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243F6A8885A308D3U;
};

}  // namespace linkgistic

// Values that are collected one after the other: in memory while they are few, beyond a budget in a temporary
// file that is mapped into memory, so that the page cache holds as much of them as there is room for.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "io/shared_span.hpp"

namespace linkgistic {

/// Half of the machine's physical memory, in bytes.
std::size_t default_memory_budget();

/// A temporary file without a name, in $TMPDIR (else /var/tmp).
int unnamed_file();

/// Written by hand: a vector copies itself to grow and cannot move to a file. The temporary file is in
/// $TMPDIR (else /var/tmp), has no name, and its space is reserved before it is written: a full disk is an
/// InputError, and nothing is left behind whatever happens.
class SpillBytes {
 public:
  explicit SpillBytes(std::size_t budget = default_memory_budget());
  ~SpillBytes();
  SpillBytes(SpillBytes&&) noexcept;
  SpillBytes(const SpillBytes&) = delete;
  SpillBytes& operator=(const SpillBytes&) = delete;
  SpillBytes& operator=(SpillBytes&&) = delete;

  /// `count` more bytes, zero at first; where the bytes lie may change.
  std::byte* extend(std::size_t count);
  /// Forgets the bytes beyond `size`.
  void shrink(std::size_t size);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* data() const;
  [[nodiscard]] bool in_file() const;
  /// The owner of the bytes at data(); no more are added.
  std::shared_ptr<const void> share();

 private:
  class Mapping;
  void reserve(std::size_t capacity);

  std::size_t budget_;
  std::size_t size_ = 0;
  std::shared_ptr<Mapping> mapping_;
};

template <class T>
class SpillBuffer {
 public:
  explicit SpillBuffer(std::size_t budget = default_memory_budget()) : bytes_(budget) {}

  /// Room for `count` more values, zero at first. What extend() and data() gave before no longer holds.
  T* extend(std::size_t count) { return reinterpret_cast<T*>(bytes_.extend(count * sizeof(T))); }
  void push_back(T value) { *extend(1) = value; }
  void shrink(std::size_t size) { bytes_.shrink(size * sizeof(T)); }
  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(bytes_.data()); }
  [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(T); }
  [[nodiscard]] bool in_file() const { return bytes_.in_file(); }
  /// The values, which from now on do not change.
  SharedSpan<T> share() {
    const std::size_t count = size();
    auto owner = bytes_.share();
    return {std::move(owner), std::span<const T>(data(), count)};
  }

 private:
  SpillBytes bytes_;
};

}  // namespace linkgistic

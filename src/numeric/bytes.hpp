// Plain values as bytes, and back. A struct names its members once, as
//   auto fields() { return std::tie(a, b); }
// and is written and read by that. What follows from its members is made by was_read(), if it has that.
// Numbers keep all their bits, in the machine's own order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <linkgistic/error.hpp>

namespace linkgistic {

template <class T>
concept HasByteFields = requires(T& value) {
  value.fields();
};

/// A vector or matrix whose cells follow each other in memory, as Eigen's do.
template <class T>
concept HasByteCells = requires(T& value) {
  typename T::Scalar;
  value.resize(value.rows(), value.cols());
  value.data();
};

class ByteWriter {
 public:
  template <class T>
  void operator()(const T& value) {
    if constexpr (HasByteFields<T>) {
      // Only a reading: the members need no second list that is const.
      auto& members = const_cast<T&>(value);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      std::apply([this](const auto&... field) { ((*this)(field), ...); }, members.fields());
    } else if constexpr (HasByteCells<T>) {
      (*this)(static_cast<std::uint64_t>(value.rows()));
      (*this)(static_cast<std::uint64_t>(value.cols()));
      append(value.data(), static_cast<std::size_t>(value.size()) * sizeof(typename T::Scalar));
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      append(&value, sizeof value);
    }
  }
  template <class T, class Allocator>
  void operator()(const std::vector<T, Allocator>& values) {
    (*this)(static_cast<std::uint64_t>(values.size()));
    if constexpr (std::is_trivially_copyable_v<T> && !HasByteFields<T>) {
      append(values.data(), values.size() * sizeof(T));
    } else {
      for (const T& value : values) (*this)(value);
    }
  }
  template <class T>
  void operator()(const std::shared_ptr<const T>& value) {
    (*this)(*value);
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    (*this)(value.has_value());
    if (value) (*this)(*value);
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint64_t>(text.size()));
    append(text.data(), text.size());
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) {
    if (size > 0) bytes_.append(static_cast<const char*>(data), size);
  }

  std::string bytes_;
};

/// Throws an InputError if the bytes end too soon.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (HasByteFields<T>) {
      std::apply([this](auto&... field) { ((*this)(field), ...); }, value.fields());
      if constexpr (requires { value.was_read(); }) value.was_read();
    } else if constexpr (HasByteCells<T>) {
      std::uint64_t rows = 0;
      std::uint64_t columns = 0;
      (*this)(rows);
      (*this)(columns);
      // A matrix without cells keeps its other size.
      constexpr std::uint64_t longest = std::uint64_t{1} << 31;
      const std::uint64_t most = left_.size() / sizeof(typename T::Scalar);
      if (rows > longest || columns > longest || (columns > 0 && rows > most / columns)) too_short();
      value.resize(static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns));
      take(value.data(), rows * columns * sizeof(typename T::Scalar));
    } else if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      take(&byte, 1);
      if (byte > 1) throw InputError("a byte is no truth value");
      value = byte == 1;
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      take(&value, sizeof value);
    }
  }
  template <class T, class Allocator>
  void operator()(std::vector<T, Allocator>& values) {
    constexpr std::size_t least = std::is_trivially_copyable_v<T> && !HasByteFields<T> ? sizeof(T) : 1;
    const std::size_t size = length(least);
    values.resize(size);
    if constexpr (std::is_trivially_copyable_v<T> && !HasByteFields<T>) {
      take(values.data(), size * sizeof(T));
    } else {
      for (T& value : values) (*this)(value);
    }
  }
  template <class T>
  void operator()(std::shared_ptr<const T>& value) {
    auto made = std::make_shared<T>();
    (*this)(*made);
    value = std::move(made);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    bool has = false;
    (*this)(has);
    if (has) {
      (*this)(value.emplace());
    } else {
      value.reset();
    }
  }
  void operator()(std::string& text) {
    text.resize(length(1));
    take(text.data(), text.size());
  }

  [[nodiscard]] bool at_end() const { return left_.empty(); }

 private:
  [[noreturn]] static void too_short() { throw InputError("the bytes of a value end too soon"); }
  // A number of values of at least so many bytes each, which the bytes can hold.
  std::size_t length(std::size_t bytes_each) {
    std::uint64_t size = 0;
    (*this)(size);
    if (size > left_.size() / bytes_each) too_short();
    return size;
  }
  void take(void* to, std::size_t size) {
    if (size > left_.size()) too_short();
    if (size > 0) std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
  }

  std::string_view left_;
};

template <class T>
std::string to_bytes(const T& value) {
  ByteWriter writer;
  writer(value);
  return writer.bytes();
}

/// The value must use all of the bytes.
template <class T>
T from_bytes(std::string_view bytes) {
  ByteReader reader(bytes);
  T value{};
  reader(value);
  if (!reader.at_end()) throw InputError("there are bytes beyond the end of a value");
  return value;
}

}  // namespace linkgistic

// Messages of Protocol Buffers, written by hand: ONNX needs a dozen of them, and the library that writes them
// would be the largest dependency of the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace linkgistic {

class ProtobufMessage {
 public:
  ProtobufMessage& number(int field, std::int64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3U);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  ProtobufMessage& bytes(int field, std::string_view value) {
    varint(static_cast<std::uint64_t>(field) << 3U | 2U);
    varint(value.size());
    text_ += value;
    return *this;
  }
  ProtobufMessage& message(int field, const ProtobufMessage& value) { return bytes(field, value.text_); }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) text_ += static_cast<char>(0x80U | (value & 0x7FU));
    text_ += static_cast<char>(value);
  }

  std::string text_;
};

}  // namespace linkgistic

// SHA-256 of bytes and files (FIPS 180-4). A library for this one function would be OpenSSL.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linkgistic {

class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 64 hexadecimal digits; nothing may be added after it.
  [[nodiscard]] std::string finish();

 private:
  void block(const unsigned char* bytes);  // of 64

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> rest_{};
  std::uint64_t size_ = 0;
};

/// Of a whole file; InputError when it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace linkgistic

#include "io/sha256.hpp"

#include <array>

#include <sha2.h>

#include <linkgistic/error.hpp>

namespace linkgistic {

std::string sha256_of_file(const std::string& path) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
  if (SHA256File(path.c_str(), digits.data()) == nullptr) throw InputError(path + ": cannot read the file");
  return digits.data();
}

}  // namespace linkgistic

// Answers of other processes are merged only if they have the same sizes.
#pragma once

#include <cstddef>

#include <linkgistic/error.hpp>

namespace linkgistic {

inline void check_same_size(std::size_t left, std::size_t right) {
  if (left != right) throw InputError("the answers to one request have different sizes");
}

}  // namespace linkgistic

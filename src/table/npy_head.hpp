// What the head of one of NumPy's .npy arrays, of one or two dimensions, says.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <string_view>

#include "io/byte_source.hpp"

namespace linkgistic {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// What the head of an array says.
struct NpyHead {
  char kind = 0;  // f, i, u or b
  std::size_t item_bytes = 0;
  bool swapped = false;  // not in this machine's order of bytes
  bool fortran_order = false;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t head_bytes = 0;  // where the values begin
};

/// Reads the head of an array from the beginning of a source; the values follow.
NpyHead read_npy_head(ByteSource& source);

}  // namespace linkgistic

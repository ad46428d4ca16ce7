// Which format a file has, by what it begins with and by its name.
#pragma once

#include "io/byte_source.hpp"

namespace linkgistic {

enum class DataFormat {
  csv,     // text with a header
  npy,     // begins with the NPY mark, or is called .npy
  idx,     // begins with two zero bytes, a type and a number of dimensions
  libsvm,  // called .libsvm, .svm or .svmlight, or its first lines are a number and index:value pairs
};

/// The format of the unpacked bytes; a final .gz of the name does not count. The source is rewound.
DataFormat data_format(ByteSource& source);

}  // namespace linkgistic

// The text format of LIBSVM and SVMlight: `label index:value index:value ... # comment`, one row a line; .gz
// as well.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/byte_source.hpp"
#include "io/spill_buffer.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {

enum class IndexBase {
  one,   ///< the first column is 1, and an index 0 is an error
  zero,  ///< the first column is 0
};

struct LibsvmOptions {
  IndexBase base = IndexBase::one;
  /// Number of columns; 0 takes the largest index. A larger index than this is an error, or is left out.
  std::size_t columns = 0;
  bool ignore_beyond = false;
  /// Bytes of columns or values beyond which they go to a temporary file.
  std::size_t memory_budget = default_memory_budget();
};

struct SparseFile {
  RowMatrix rows;              // CSR
  std::vector<double> labels;  // (rows)
  std::size_t beyond = 0;      // entries left out
};

/// `qid:` entries are ignored. Indices must increase within a row. Errors name file and line.
SparseFile read_libsvm(const std::string& path, const LibsvmOptions& options = {});
SparseFile read_libsvm(ByteSource& source, const LibsvmOptions& options = {});

}  // namespace linkgistic

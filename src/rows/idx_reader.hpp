// IDX files (the format of MNIST): big-endian header, then unsigned bytes; .gz as well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rows/row_matrix.hpp"

namespace linkgistic {

/// One row an item (an image: its pixels row by row).
RowMatrix read_idx_rows(const std::string& path);

/// The same of bytes that `name` holds.
RowMatrix read_idx_rows(const std::string& name, const SharedSpan<std::uint8_t>& bytes);

/// A file of one number an item.
std::vector<std::int32_t> read_idx_labels(const std::string& path);
std::vector<std::int32_t> read_idx_labels(const std::string& name, const SharedSpan<std::uint8_t>& bytes);

struct LabelledImages {
  RowMatrix rows;
  std::vector<std::int32_t> labels;
};

/// Both files; different counts are an InputError.
LabelledImages read_idx(const std::string& images_path, const std::string& labels_path);

}  // namespace linkgistic

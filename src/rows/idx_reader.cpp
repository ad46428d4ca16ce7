// IDX files (the format of MNIST): two zero bytes, type code, number of dimensions, the dimensions as 32-bit
// big-endian numbers, then the values.
#include "rows/idx_reader.hpp"

#include <cstdio>

#include <linkgistic/error.hpp>

#include "io/file_bytes.hpp"

namespace linkgistic {
namespace {

constexpr std::uint8_t unsigned_byte_type = 0x08;

struct IdxArray {
  std::vector<std::size_t> shape;
  SharedSpan<std::uint8_t> values;
};

std::string hex(const SharedSpan<std::uint8_t>& bytes) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]);
  return text;
}

IdxArray read_idx_array(const std::string& path, const SharedSpan<std::uint8_t>& bytes) {
  if (bytes.size() < 4) throw InputError(path + ": too short for an IDX file");
  if (bytes[0] != 0 || bytes[1] != 0 || bytes[2] < 0x08 || bytes[2] > 0x0e || bytes[3] == 0) {
    throw InputError(path + ": bad magic number " + hex(bytes) + ", not an IDX file");
  }
  if (bytes[2] != unsigned_byte_type) {
    throw InputError(path + ": magic number " + hex(bytes) + ": only IDX files of unsigned bytes are read");
  }
  const std::size_t header = 4 + 4 * std::size_t{bytes[3]};
  if (bytes.size() < header) throw InputError(path + ": ends inside the IDX header");
  IdxArray array;
  std::size_t count = 1;
  for (std::size_t at = 4; at < header; at += 4) {
    const std::size_t size = std::size_t{bytes[at]} << 24 | std::size_t{bytes[at + 1]} << 16 |
                             std::size_t{bytes[at + 2]} << 8 | std::size_t{bytes[at + 3]};
    array.shape.push_back(size);
    if (__builtin_mul_overflow(count, size, &count)) {
      throw InputError(path + ": the sizes in the header are too large");
    }
  }
  if (bytes.size() - header != count) {
    throw InputError(path + ": " + (bytes.size() - header < count ? "truncated: " : "too long: ") +
                     "the header announces " + std::to_string(count) + " values, the file has " +
                     std::to_string(bytes.size() - header));
  }
  array.values = bytes.part(header, count);
  return array;
}

}  // namespace

RowMatrix read_idx_rows(const std::string& path) { return read_idx_rows(path, read_file_bytes(path)); }

RowMatrix read_idx_rows(const std::string& path, const SharedSpan<std::uint8_t>& bytes) {
  IdxArray array = read_idx_array(path, bytes);
  if (array.shape.size() < 2) throw InputError(path + ": holds labels, expected rows or images");
  std::size_t columns = 1;
  for (std::size_t k = 1; k < array.shape.size(); ++k) columns *= array.shape[k];
  return RowMatrix(DenseRows<std::uint8_t>{array.shape[0], columns, std::move(array.values)});
}

std::vector<std::int32_t> read_idx_labels(const std::string& path) {
  return read_idx_labels(path, read_file_bytes(path));
}

std::vector<std::int32_t> read_idx_labels(const std::string& path, const SharedSpan<std::uint8_t>& bytes) {
  const IdxArray array = read_idx_array(path, bytes);
  if (array.shape.size() != 1) {
    throw InputError(path + ": has " + std::to_string(array.shape.size()) + " dimensions, labels have one");
  }
  const auto values = array.values.span();
  return {values.begin(), values.end()};
}

LabelledImages read_idx(const std::string& images_path, const std::string& labels_path) {
  LabelledImages result{read_idx_rows(images_path), read_idx_labels(labels_path)};
  if (result.rows.rows() != result.labels.size()) {
    throw InputError(images_path + " has " + std::to_string(result.rows.rows()) + " images but " +
                     labels_path + " has " + std::to_string(result.labels.size()) + " labels");
  }
  return result;
}

}  // namespace linkgistic

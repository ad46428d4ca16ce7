#include "rows/array_file.hpp"

#include <cstdint>

#include <linkgistic/error.hpp>

#include "io/file_bytes.hpp"
#include "io/spill_buffer.hpp"

namespace linkgistic {

ArrayFile::ArrayFile(const std::string& path, ByteSource& source, std::size_t budget)
    : path_(path), source_(source), budget_(budget), head_(read_npy_head(source)) {
  source_.rewind();
}

bool ArrayFile::is_bytes() const {
  return head_.kind == 'u' && head_.item_bytes == 1 && !head_.fortran_order;
}

bool ArrayFile::is_single() const {
  return head_.kind == 'f' && head_.item_bytes == 4 && !head_.swapped && !head_.fortran_order;
}

void ArrayFile::read_values() {
  if (values_) return;
  const auto bytes = read_file_bytes(source_, path_, budget_);
  const std::size_t needed = head_.rows * head_.columns * head_.item_bytes;
  if (bytes.size() < head_.head_bytes || bytes.size() - head_.head_bytes < needed) {
    throw InputError(source_.name() + ": the file is truncated: its head announces " +
                     std::to_string(needed) + " bytes of values");
  }
  values_ = bytes.part(head_.head_bytes, needed);
}

RowMatrix ArrayFile::byte_rows(std::span<const std::size_t> columns) {
  read_values();
  bool all = columns.size() == head_.columns;
  for (std::size_t j = 0; j < columns.size(); ++j) all = all && columns[j] == j;
  if (all) return RowMatrix(DenseRows<std::uint8_t>{head_.rows, head_.columns, *values_});
  SpillBuffer<std::uint8_t> chosen(budget_);
  for (std::size_t n = 0; n < head_.rows; ++n) {
    std::uint8_t* const out = chosen.extend(columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) out[j] = (*values_)[n * head_.columns + columns[j]];
  }
  return RowMatrix(DenseRows<std::uint8_t>{head_.rows, columns.size(), chosen.share()});
}

std::vector<double> ArrayFile::byte_column(std::size_t column) {
  read_values();
  std::vector<double> result(head_.rows);
  for (std::size_t n = 0; n < head_.rows; ++n) {
    result[n] = static_cast<double>((*values_)[n * head_.columns + column]);
  }
  return result;
}

std::optional<RowMatrix> ArrayFile::single_rows() {
  read_values();
  if (reinterpret_cast<std::uintptr_t>(values_->data()) % alignof(float) != 0) return std::nullopt;
  const std::span<const float> floats(reinterpret_cast<const float*>(values_->data()),
                                      head_.rows * head_.columns);
  bool finite = true;
  for (const float x : floats) finite &= x - x == 0;
  if (!finite) return std::nullopt;
  return RowMatrix(DenseRows<float>{head_.rows, head_.columns, SharedSpan<float>(values_->owner(), floats)});
}

}  // namespace linkgistic

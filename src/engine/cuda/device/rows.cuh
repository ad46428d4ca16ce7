// The rows in the GPU's memory, each storage in its own type.
#pragma once

#include "engine/cuda/device/row_loss.cuh"

namespace linkgistic::cuda {

/// Entries of one column, at most `segment_entries` of them: a warp's share of the products with sparse columns.
struct Segment {
  std::int32_t column;
  std::int32_t entries;
  std::int64_t first;
};
constexpr int segment_entries = 2048;

class Rows {
 public:
  Rows(const Place& place, const lg_cuda_rows& rows);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int storage() const { return storage_; }
  [[nodiscard]] std::uint64_t entries() const { return entries_; }
  /// Bytes: from one row to the next, a multiple of 16. Floats: a multiple of 4.
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] const std::uint8_t* bytes() const { return bytes_.data(); }
  [[nodiscard]] const float* floats() const { return floats_.data(); }
  [[nodiscard]] RowFacts facts() const;
  [[nodiscard]] float greatest_weight() const { return greatest_weight_; }

  // Sparse rows, by rows and by columns.
  [[nodiscard]] const std::int64_t* row_start() const { return row_start_.data(); }
  [[nodiscard]] const std::int32_t* column() const { return column_.data(); }
  [[nodiscard]] const float* value() const { return value_.data(); }
  [[nodiscard]] const std::int32_t* row_of_entry() const { return row_.data(); }
  [[nodiscard]] const float* value_by_column() const { return column_value_.data(); }
  [[nodiscard]] const Segment* segments() const { return segments_.data(); }
  [[nodiscard]] std::size_t segment_count() const { return segment_count_; }
  /// Segments of column j: first_segment[j] .. first_segment[j + 1] - 1.
  [[nodiscard]] const std::int32_t* first_segment() const { return first_segment_.data(); }

 private:
  void upload_dense(const Place& place, const lg_cuda_rows& rows);
  void upload_sparse(const Place& place, const lg_cuda_rows& rows);

  std::uint64_t count_;
  int columns_;
  int storage_;
  std::uint64_t entries_;
  std::size_t stride_ = 0;
  int words_ = 0;
  float greatest_weight_ = 1;
  DeviceArray<std::uint8_t> bytes_;
  DeviceArray<float> floats_;
  DeviceArray<std::int64_t> row_start_;
  DeviceArray<std::int32_t> column_, row_, first_segment_;
  DeviceArray<float> value_, column_value_;
  DeviceArray<Segment> segments_;
  std::size_t segment_count_ = 0;
  DeviceArray<std::int32_t> labels_;
  DeviceArray<float> weights_;
  DeviceArray<std::uint64_t> train_, held_out_;
};

}  // namespace linkgistic::cuda

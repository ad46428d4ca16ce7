// visit(column, value) for the stored values of a row, by the threads of a block or of a warp: thread `own` of `all`.
#pragma once

#include "engine/cuda/device/rows.cuh"

namespace linkgistic::cuda {

struct RowValues {
  int storage;
  int columns;
  std::size_t stride;
  const std::uint8_t* bytes;
  const float* floats;
  const std::int64_t* row_start;
  const std::int32_t* column;
  const float* value;

  explicit RowValues(const Rows& rows)
      : storage(rows.storage()),
        columns(rows.columns()),
        stride(rows.stride()),
        bytes(rows.bytes()),
        floats(rows.floats()),
        row_start(rows.row_start()),
        column(rows.column()),
        value(rows.value()) {}

  template <class Visit>
  __device__ void each(std::uint64_t n, int own, int all, const Visit& visit) const {
    if (storage == LG_CUDA_SPARSE) {
      for (std::int64_t e = row_start[n] + own; e < row_start[n + 1]; e += all) visit(column[e], value[e]);
    } else {
      for (int j = own; j < columns; j += all)
        visit(j, storage == LG_CUDA_BYTES ? static_cast<float>(bytes[n * stride + j]) : floats[n * stride + j]);
    }
  }
};

}  // namespace linkgistic::cuda

// The fused pass for a chunk of dense rows, compiled once for each instruction set and chosen at run time.
//
// Cost for N rows, D columns, C classes: 4 N D C operations and N D sizeof(T) bytes, each byte fetched once
// from memory and, in the second product, again from the second-level cache. Lanes run over columns; a tile
// of rows x classes (margins) or classes x vectors (gradient) of sums is held in registers, so that about one
// load serves two multiply-adds.
#include "compute/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/dense_kernels.cpp"
// clang-format off: foreach_target includes this file again, and all that follows must come after it.
#include <algorithm>

#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/lookup-inl.hpp"
#include "compute/tiles-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace linkgistic::kernel::HWY_NAMESPACE {

template <int C, class T>
HWY_INLINE void margins_of_block(const DenseBlock<T>& block, const ChunkTask& task, std::size_t k,
                                 float* HWY_RESTRICT scores) {
  const float* beta = task.beta + k * task.stride;
  const float* intercept = task.intercept + k;
  float* out = scores + k * max_block;
  std::size_t row = 0;
  if constexpr (C == 1) {  // bound by memory, which likes to be read in order
    for (; row < block.rows; ++row) out[row] = row_times_beta(block, row, beta) + intercept[0];
  }
  for (; row + tile_rows <= block.rows; row += tile_rows) {
    margin_tile<tile_rows, C>(block, row, beta, task.stride, intercept, out);
  }
  for (; row < block.rows; ++row) margin_tile<1, C>(block, row, beta, task.stride, intercept, out);
}

template <int C, class T>
HWY_INLINE void gradient_of_block(const DenseBlock<T>& block, bool prefetch, const ChunkTask& task,
                                  std::size_t k, const float* HWY_RESTRICT scores) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  constexpr int V = C >= 4 ? tile_rows : C == 3 ? 4 : C == 2 ? 4 : 8;
  const float* residual = scores + k * max_block;
  double* gradient = task.gradient + k * task.stride;
  const bool fetch = prefetch && k == 0;
  std::size_t v = 0;
  for (; v + V <= block.vectors; v += V) {
    gradient_tile<C, V>(block, v * lanes, fetch, residual, gradient, task.stride);
  }
  for (; v < block.vectors; ++v) {
    gradient_tile<C, 1>(block, v * lanes, fetch, residual, gradient, task.stride);
  }
}

template <class T>
HWY_INLINE void dense_chunk(const DenseRows<T>& matrix, const ChunkTask& task) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  const std::size_t vectors = (matrix.columns + lanes - 1) / lanes;
  // One class is bound by memory: floats come fastest by the hardware's own prefetch, bytes in small blocks.
  const bool one_class = task.classes == 1;
  const std::size_t block_bytes = (one_class && sizeof(T) == 1 ? 48 : 256) * 1024;
  const std::size_t block_rows =
      std::clamp<std::size_t>(block_bytes / (matrix.columns * sizeof(T) + 1) / 16 * 16, 16, max_block);
  const auto scores = hwy::AllocateAligned<float>(task.classes * max_block);
  hwy::AlignedFreeUniquePtr<T[]> copy;
  for (std::size_t first = task.first; first < task.last; first += block_rows) {
    const std::size_t rows = std::min(block_rows, task.last - first);
    DenseBlock<T> block{matrix.row(first), matrix.columns, rows, vectors};
    const bool reads_past_end = (first + rows - 1) * matrix.columns + vectors * lanes > matrix.values.size();
    if (reads_past_end) {
      const std::size_t padded = vectors * lanes;
      copy = hwy::AllocateAligned<T>(rows * padded);
      std::fill_n(copy.get(), rows * padded, T{0});
      for (std::size_t i = 0; i < rows; ++i)
        std::copy_n(matrix.row(first + i), matrix.columns, copy.get() + i * padded);
      block.values = copy.get();
      block.stride = padded;
    }
    for_class_tiles(task.classes, [&](auto c, std::size_t k)
                                      HWY_ATTR { margins_of_block<c.value>(block, task, k, scores.get()); });
    keep_margins(task, matrix.rows, first, rows, scores.get());
    if (task.tables == nullptr) continue;
    residuals_of_block(task, first, rows, scores.get());
    const bool prefetch = !(one_class && sizeof(T) > 1) && first + 2 * block_rows <= task.last;
    for_class_tiles(task.classes, [&](auto c, std::size_t k) HWY_ATTR {
      gradient_of_block<c.value>(block, prefetch, task, k, scores.get());
    });
  }
}

void bytes_chunk(const DenseRows<std::uint8_t>& rows, const ChunkTask& task) { dense_chunk(rows, task); }
void floats_chunk(const DenseRows<float>& rows, const ChunkTask& task) { dense_chunk(rows, task); }

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic::kernel {

HWY_EXPORT(bytes_chunk);
HWY_EXPORT(floats_chunk);

void pass_chunk(const DenseRows<std::uint8_t>& rows, const ChunkTask& task) {
  HWY_DYNAMIC_DISPATCH(bytes_chunk)(rows, task);
}
void pass_chunk(const DenseRows<float>& rows, const ChunkTask& task) {
  HWY_DYNAMIC_DISPATCH(floats_chunk)(rows, task);
}

}  // namespace linkgistic::kernel
#endif  // HWY_ONCE

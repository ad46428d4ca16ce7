// The fused pass for a chunk of dense rows, compiled once for each instruction set and chosen at run time.
//
// Cost for N rows, D columns, C classes: 4 N D C operations and N D sizeof(T) bytes, each byte fetched once
// from memory and, in the second product, again from the second-level cache. Lanes run over columns; a tile
// of rows x classes (margins) or classes x vectors (gradient) of sums is held in registers, so that about one
// load serves two multiply-adds.
#include "engine/cpu/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/dense_kernels.cpp"
// clang-format off: foreach_target includes this file again, and all that follows must come after it.
#include <algorithm>
#include <vector>

#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/cpu/lookup-inl.hpp"
#include "engine/cpu/softmax-inl.hpp"
#include "engine/cpu/tiles-inl.hpp"
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
  constexpr int R = C == 1 ? 4 : tile_rows;  // sums that do not wait for each other
  for (; row + R <= block.rows; row += R) margin_tile<R, C>(block, row, beta, task.stride, intercept, out);
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

// Blocks of rows as they stand in memory; those where a vector would read past the end are copied.
template <class T>
class StoredBlocks {
 public:
  using Value = T;
  static constexpr bool in_order = true;  // a block follows the one before it in memory

  explicit StoredBlocks(const DenseRows<T>& matrix) : matrix_(matrix) {}

  DenseBlock<T> read(std::size_t first, std::size_t rows, std::size_t vectors) {
    const std::size_t padded = vectors * hn::Lanes(FloatTag());
    if ((first + rows - 1) * matrix_.columns + padded <= matrix_.values.size())
      return {matrix_.row(first), matrix_.columns, rows, vectors};
    copy_ = hwy::AllocateAligned<T>(rows * padded);
    std::fill_n(copy_.get(), rows * padded, T{0});
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(matrix_.row(first + i), matrix_.columns, copy_.get() + i * padded);
    return {copy_.get(), padded, rows, vectors};
  }

 private:
  const DenseRows<T>& matrix_;
  hwy::AlignedFreeUniquePtr<T[]> copy_;
};

// Blocks of a view, rounded to single precision about its origin.
template <class T>
class RoundedBlocks {
 public:
  using Value = float;
  static constexpr bool in_order = false;

  explicit RoundedBlocks(const ViewRows<T>& view)
      : view_(view), origin_(view.origin.empty() ? std::vector<double>(view.columns) : view.origin) {}

  DenseBlock<float> read(std::size_t first, std::size_t rows, std::size_t vectors) {
    const std::size_t padded = vectors * hn::Lanes(FloatTag());
    if (!rounded_) {
      rounded_ = hwy::AllocateAligned<float>(max_block * padded);
      std::fill_n(rounded_.get(), max_block * padded, 0.0F);
    }
    if (view_.column_step == 1) {
      for (std::size_t i = 0; i < rows; ++i) {
        const T* HWY_RESTRICT row = view_.row(first + i);
        const double* HWY_RESTRICT origin = origin_.data();
        float* HWY_RESTRICT out = rounded_.get() + i * padded;
        for (std::size_t j = 0; j < view_.columns; ++j)
          out[j] = static_cast<float>(static_cast<double>(row[j]) - origin[j]);
      }
    } else {  // column by column, in which such rows stand
      for (std::size_t j = 0; j < view_.columns; ++j) {
        const T* column = view_.row(first) + j * view_.column_step;
        for (std::size_t i = 0; i < rows; ++i) {
          rounded_[i * padded + j] =
              static_cast<float>(static_cast<double>(column[i * view_.row_step]) - origin_[j]);
        }
      }
    }
    return {rounded_.get(), padded, rows, vectors};
  }

 private:
  const ViewRows<T>& view_;
  std::vector<double> origin_;
  hwy::AlignedFreeUniquePtr<float[]> rounded_;
};

template <class Blocks, class Rows>
HWY_INLINE void dense_chunk(const Rows& matrix, const ChunkTask& task) {
  using T = typename Blocks::Value;
  const std::size_t lanes = hn::Lanes(FloatTag());
  const std::size_t vectors = (matrix.columns + lanes - 1) / lanes;
  // One class is bound by memory: floats come fastest by the hardware's own prefetch, bytes in small blocks.
  // What has been rounded is read twice more: it should still be in the cache.
  const bool one_class = task.classes == 1;
  const bool small = !Blocks::in_order || (one_class && sizeof(T) == 1);
  const std::size_t block_bytes = std::size_t{1024} * (small ? 48 : 256);
  const std::size_t block_rows =
      std::clamp<std::size_t>(block_bytes / (matrix.columns * sizeof(T) + 1) / 16 * 16, 16, max_block);
  const auto scores = hwy::AllocateAligned<float>(task.classes * max_block);
  Blocks blocks(matrix);
  for (std::size_t first = task.first; first < task.last; first += block_rows) {
    const std::size_t rows = std::min(block_rows, task.last - first);
    const DenseBlock<T> block = blocks.read(first, rows, vectors);
    for_class_tiles(task.classes, [&](auto c, std::size_t k)
                                      HWY_ATTR { margins_of_block<c.value>(block, task, k, scores.get()); });
    keep_margins(task, first, rows, scores.get());
    if (task.tables == nullptr) continue;
    residuals_of_block(task, first, rows, scores.get());
    const bool prefetch =
        Blocks::in_order && !(one_class && sizeof(T) > 1) && first + 2 * block_rows <= task.last;
    for_class_tiles(task.classes, [&](auto c, std::size_t k) HWY_ATTR {
      gradient_of_block<c.value>(block, prefetch, task, k, scores.get());
    });
  }
}

void bytes_chunk(const DenseRows<std::uint8_t>& rows, const ChunkTask& task) {
  dense_chunk<StoredBlocks<std::uint8_t>>(rows, task);
}
void floats_chunk(const DenseRows<float>& rows, const ChunkTask& task) {
  dense_chunk<StoredBlocks<float>>(rows, task);
}
void float_view_chunk(const ViewRows<float>& rows, const ChunkTask& task) {
  dense_chunk<RoundedBlocks<float>>(rows, task);
}
void double_view_chunk(const ViewRows<double>& rows, const ChunkTask& task) {
  dense_chunk<RoundedBlocks<double>>(rows, task);
}

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic::kernel {

HWY_EXPORT(bytes_chunk);
HWY_EXPORT(floats_chunk);
HWY_EXPORT(float_view_chunk);
HWY_EXPORT(double_view_chunk);

void pass_chunk(const DenseRows<std::uint8_t>& rows, const ChunkTask& task) {
  HWY_DYNAMIC_DISPATCH(bytes_chunk)(rows, task);
}
void pass_chunk(const DenseRows<float>& rows, const ChunkTask& task) {
  HWY_DYNAMIC_DISPATCH(floats_chunk)(rows, task);
}
void pass_chunk(const ViewRows<float>& rows, const ChunkTask& task) {
  HWY_DYNAMIC_DISPATCH(float_view_chunk)(rows, task);
}
void pass_chunk(const ViewRows<double>& rows, const ChunkTask& task) {
  HWY_DYNAMIC_DISPATCH(double_view_chunk)(rows, task);
}

}  // namespace linkgistic::kernel
#endif  // HWY_ONCE

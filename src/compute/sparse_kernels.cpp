// The fused pass for a chunk of sparse rows: a gather and a scatter an entry and class, 8 bytes an entry.
#include "compute/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/sparse_kernels.cpp"
// clang-format off: foreach_target includes this file again, and all that follows must come after it.
#include <algorithm>

#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/lookup-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace linkgistic::kernel::HWY_NAMESPACE {

// One class: a gather and a scatter an entry.
HWY_INLINE void sparse_margins_one(const CsrRows& matrix, const ChunkTask& task, std::size_t first,
                                   std::size_t rows, float* HWY_RESTRICT scores) {
  const float* HWY_RESTRICT beta = task.beta;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t begin = matrix.row_start[first + i];
    const std::int64_t end = matrix.row_start[first + i + 1];
    const std::int32_t* HWY_RESTRICT column = matrix.column.data();
    const float* HWY_RESTRICT value = matrix.value.data();
    float a = 0;
    float b = 0;
    std::int64_t e = begin;
    for (; e + 2 <= end; e += 2) {
      a += value[e] * beta[column[e]];
      b += value[e + 1] * beta[column[e + 1]];
    }
    if (e < end) a += value[e] * beta[column[e]];
    scores[i] = a + b + task.intercept[0];
  }
}

HWY_INLINE void sparse_gradient_one(const CsrRows& matrix, const ChunkTask& task, std::size_t first,
                                    std::size_t rows, const float* HWY_RESTRICT scores) {
  double* HWY_RESTRICT gradient = task.gradient;
  const std::int32_t* HWY_RESTRICT column = matrix.column.data();
  const float* HWY_RESTRICT value = matrix.value.data();
  for (std::size_t i = 0; i < rows; ++i) {
    const double r = static_cast<double>(scores[i]);
    for (std::int64_t e = matrix.row_start[first + i]; e < matrix.row_start[first + i + 1]; ++e) {
      gradient[column[e]] += r * static_cast<double>(value[e]);
    }
  }
}

// Many classes: the coefficients of a column stand together, so that an entry touches one or two cache lines.
HWY_INLINE void sparse_margins(const CsrRows& matrix, const ChunkTask& task, std::size_t first,
                               std::size_t rows, float* HWY_RESTRICT scores, float* HWY_RESTRICT sums) {
  for (std::size_t i = 0; i < rows; ++i) {
    std::fill_n(sums, task.stride, 0.0F);
    for (std::int64_t e = matrix.row_start[first + i]; e < matrix.row_start[first + i + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const float* HWY_RESTRICT beta =
          task.beta + static_cast<std::size_t>(matrix.column[entry]) * task.stride;
      const float z = matrix.value[entry];
      for (std::size_t k = 0; k < task.stride; k += class_padding) {
        for (std::size_t c = 0; c < class_padding; ++c) sums[k + c] += z * beta[k + c];
      }
    }
    for (std::size_t k = 0; k < task.classes; ++k) scores[k * max_block + i] = sums[k] + task.intercept[k];
  }
}

HWY_INLINE void sparse_gradient(const CsrRows& matrix, const ChunkTask& task, std::size_t first,
                                std::size_t rows, const float* HWY_RESTRICT scores,
                                float* HWY_RESTRICT residual) {
  std::fill_n(residual, task.stride, 0.0F);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < task.classes; ++k) residual[k] = scores[k * max_block + i];
    for (std::int64_t e = matrix.row_start[first + i]; e < matrix.row_start[first + i + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      double* HWY_RESTRICT g = task.gradient + static_cast<std::size_t>(matrix.column[entry]) * task.stride;
      const float z = matrix.value[entry];
      for (std::size_t k = 0; k < task.stride; k += class_padding) {
        for (std::size_t c = 0; c < class_padding; ++c) g[k + c] += static_cast<double>(z * residual[k + c]);
      }
    }
  }
}

void csr_chunk(const CsrRows& matrix, const ChunkTask& task) {
  constexpr std::size_t block_rows = 64;
  const auto scores = hwy::AllocateAligned<float>(task.classes * max_block);
  const auto one_row = hwy::AllocateAligned<float>(task.stride);
  const bool one_class = task.stride == 1;
  for (std::size_t first = task.first; first < task.last; first += block_rows) {
    const std::size_t rows = std::min(block_rows, task.last - first);
    if (one_class) {
      sparse_margins_one(matrix, task, first, rows, scores.get());
    } else {
      sparse_margins(matrix, task, first, rows, scores.get(), one_row.get());
    }
    keep_margins(task, matrix.rows, first, rows, scores.get());
    if (task.tables == nullptr) continue;
    residuals_of_block(task, first, rows, scores.get());
    if (one_class) {
      sparse_gradient_one(matrix, task, first, rows, scores.get());
    } else {
      sparse_gradient(matrix, task, first, rows, scores.get(), one_row.get());
    }
  }
}

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic::kernel {

HWY_EXPORT(csr_chunk);

void pass_chunk(const CsrRows& rows, const ChunkTask& task) { HWY_DYNAMIC_DISPATCH(csr_chunk)(rows, task); }

}  // namespace linkgistic::kernel
#endif  // HWY_ONCE

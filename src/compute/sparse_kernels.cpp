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

// The coefficients of a column and the sums of its gradient, side by side in single precision, so that the
// gather of the margins brings in what the scatter of the gradient needs: (columns, 2, stride).
class Cells {
 public:
  Cells(const CsrRows& matrix, const ChunkTask& task)
      : columns_(matrix.columns),
        stride_(task.stride),
        cells_(hwy::AllocateAligned<float>(2 * columns_ * stride_)) {
    for (std::size_t j = 0; j < columns_; ++j) {
      std::copy_n(task.beta + j * stride_, stride_, column(j));
      std::fill_n(column(j) + stride_, stride_, 0.0F);
    }
  }

  HWY_INLINE float* column(std::size_t j) const { return cells_.get() + 2 * j * stride_; }

  // Moves the sums to the double ones.
  void flush(double* gradient) const {
    for (std::size_t j = 0; j < columns_; ++j) {
      float* sums = column(j) + stride_;
      for (std::size_t k = 0; k < stride_; ++k) {
        gradient[j * stride_ + k] += static_cast<double>(sums[k]);
        sums[k] = 0;
      }
    }
  }

 private:
  std::size_t columns_;
  std::size_t stride_;
  hwy::AlignedFreeUniquePtr<float[]> cells_;
};

struct Entries {
  const std::int32_t* HWY_RESTRICT column;
  const float* HWY_RESTRICT value;
  std::size_t count;
};

HWY_INLINE Entries entries_of(const CsrRows& matrix, std::size_t row) {
  const std::int64_t first = matrix.row_start[row];
  return {matrix.column.data() + first, matrix.value.data() + first,
          static_cast<std::size_t>(matrix.row_start[row + 1] - first)};
}

HWY_INLINE void margins_of_one_class(const CsrRows& matrix, const ChunkTask& task, const Cells& cells,
                                     std::size_t first, std::size_t rows, float* HWY_RESTRICT scores) {
  const float* HWY_RESTRICT cell = cells.column(0);
  for (std::size_t i = 0; i < rows; ++i) {
    const Entries row = entries_of(matrix, first + i);
    float sums[4] = {task.intercept[0]};
    std::size_t e = 0;
    for (; e + 4 <= row.count; e += 4) {
      for (std::size_t u = 0; u < 4; ++u) sums[u] += row.value[e + u] * cell[2 * row.column[e + u]];
    }
    for (; e < row.count; ++e) sums[0] += row.value[e] * cell[2 * row.column[e]];
    scores[i] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
}

HWY_INLINE void gradient_of_one_class(const CsrRows& matrix, const Cells& cells, std::size_t first,
                                      std::size_t rows, const float* HWY_RESTRICT scores) {
  float* HWY_RESTRICT cell = cells.column(0);
  for (std::size_t i = 0; i < rows; ++i) {
    const Entries row = entries_of(matrix, first + i);
    for (std::size_t e = 0; e < row.count; ++e) cell[2 * row.column[e] + 1] += scores[i] * row.value[e];
  }
}

HWY_INLINE void margins_of_classes(const CsrRows& matrix, const ChunkTask& task, const Cells& cells,
                                   std::size_t first, std::size_t rows, float* HWY_RESTRICT scores,
                                   float* HWY_RESTRICT sums) {
  const hn::CappedTag<float, class_padding> d;
  for (std::size_t i = 0; i < rows; ++i) {
    const Entries row = entries_of(matrix, first + i);
    std::fill_n(sums, task.stride, 0.0F);
    for (std::size_t e = 0; e < row.count; ++e) {
      const float* HWY_RESTRICT beta = cells.column(static_cast<std::size_t>(row.column[e]));
      const auto z = hn::Set(d, row.value[e]);
      for (std::size_t k = 0; k < task.stride; k += hn::Lanes(d)) {
        hn::Store(hn::MulAdd(z, hn::Load(d, beta + k), hn::Load(d, sums + k)), d, sums + k);
      }
    }
    for (std::size_t k = 0; k < task.classes; ++k) scores[k * max_block + i] = sums[k] + task.intercept[k];
  }
}

HWY_INLINE void gradient_of_classes(const CsrRows& matrix, const ChunkTask& task, const Cells& cells,
                                    std::size_t first, std::size_t rows, const float* HWY_RESTRICT scores,
                                    float* HWY_RESTRICT residual) {
  const hn::CappedTag<float, class_padding> d;
  std::fill_n(residual, task.stride, 0.0F);
  for (std::size_t i = 0; i < rows; ++i) {
    const Entries row = entries_of(matrix, first + i);
    for (std::size_t k = 0; k < task.classes; ++k) residual[k] = scores[k * max_block + i];
    for (std::size_t e = 0; e < row.count; ++e) {
      float* HWY_RESTRICT sums = cells.column(static_cast<std::size_t>(row.column[e])) + task.stride;
      const auto z = hn::Set(d, row.value[e]);
      for (std::size_t k = 0; k < task.stride; k += hn::Lanes(d)) {
        hn::Store(hn::MulAdd(z, hn::Load(d, residual + k), hn::Load(d, sums + k)), d, sums + k);
      }
    }
  }
}

void csr_chunk(const CsrRows& matrix, const ChunkTask& task) {
  constexpr std::size_t block_rows = 16;       // their cells stay in the first-level cache
  constexpr std::size_t flush_rows = 1 << 14;  // sums in single precision over at most this many rows
  const auto scores = hwy::AllocateAligned<float>(task.classes * max_block);
  const auto one_row = hwy::AllocateAligned<float>(task.stride);
  const bool one_class = task.stride == 1;
  const Cells cells(matrix, task);
  std::size_t flushed = task.first;
  for (std::size_t first = task.first; first < task.last; first += block_rows) {
    const std::size_t rows = std::min(block_rows, task.last - first);
    if (one_class) {
      margins_of_one_class(matrix, task, cells, first, rows, scores.get());
    } else {
      margins_of_classes(matrix, task, cells, first, rows, scores.get(), one_row.get());
    }
    keep_margins(task, matrix.rows, first, rows, scores.get());
    if (task.tables == nullptr) continue;
    residuals_of_block(task, first, rows, scores.get());
    if (one_class) {
      gradient_of_one_class(matrix, cells, first, rows, scores.get());
    } else {
      gradient_of_classes(matrix, task, cells, first, rows, scores.get(), one_row.get());
    }
    if (first + rows - flushed >= flush_rows || first + rows == task.last) {
      cells.flush(task.gradient);
      flushed = first + rows;
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

// The fused pass for a chunk of sparse rows: a gather and a scatter an entry and class, 8 bytes an entry.
#include "engine/cpu/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/sparse_kernels.cpp"
// clang-format off: foreach_target includes this file again, and all that follows must come after it.
#include <algorithm>
#include <vector>

#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/cpu/lookup-inl.hpp"
#include "engine/cpu/softmax-inl.hpp"
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

// Coefficients, column j at first + j step.
struct Coefficients {
  const float* HWY_RESTRICT first;
  std::size_t step;
};

// A block of sparse rows: entry e has the value value[e - first].
struct SparseBlock {
  const CsrRows& matrix;
  const float* HWY_RESTRICT value;
  std::size_t first;
};

// Blocks of rows with values in single precision: as they stand, or rounded to it.
class SparseBlocks {
 public:
  explicit SparseBlocks(const CsrRows& matrix) : matrix_(matrix) {}

  SparseBlock read(std::size_t row, std::size_t rows) {
    if (matrix_.value.floats() != nullptr) return {matrix_, matrix_.value.floats(), 0};
    const auto first = static_cast<std::size_t>(matrix_.row_start[row]);
    const auto last = static_cast<std::size_t>(matrix_.row_start[row + rows]);
    if (rounded_.size() < last - first) rounded_.resize(last - first);
    const double* HWY_RESTRICT values = matrix_.value.doubles();
    for (std::size_t e = first; e < last; ++e) rounded_[e - first] = static_cast<float>(values[e]);
    return {matrix_, rounded_.data(), first};
  }

 private:
  const CsrRows& matrix_;
  std::vector<float> rounded_;
};

HWY_INLINE Entries entries_of(const SparseBlock& block, std::size_t row) {
  const auto first = static_cast<std::size_t>(block.matrix.row_start[row]);
  const auto next = static_cast<std::size_t>(block.matrix.row_start[row + 1]);
  return {block.matrix.column.data() + first, block.value + (first - block.first), next - first};
}

// The margin of a row is the sum of this number of partial sums; entry e is in sum e mod lanes, for one class
// or many.
using PartTag = hn::CappedTag<float, 8>;

// p_0 + p_1 + ..., p_l at parts + l step.
HWY_INLINE float sum_parts(const float* HWY_RESTRICT parts, std::size_t step) {
  float total = parts[0];
  for (std::size_t l = 1; l < hn::Lanes(PartTag()); ++l) total += parts[l * step];
  return total;
}

HWY_INLINE void margins_of_one_class(const SparseBlock& block, const ChunkTask& task,
                                     const Coefficients& beta, std::size_t first, std::size_t rows,
                                     float* HWY_RESTRICT scores) {
  const PartTag d;
  const hn::RebindToSigned<PartTag> di;
  const std::size_t lanes = hn::Lanes(d);
  const int shift = beta.step == 2 ? 1 : 0;
  HWY_ALIGN float parts[hn::MaxLanes(PartTag())];
  for (std::size_t i = 0; i < rows; ++i) {
    const Entries row = entries_of(block, first + i);
    auto sums = hn::Zero(d);
    std::size_t e = 0;
    for (; e + lanes <= row.count; e += lanes) {
      const auto place = hn::ShiftLeftSame(hn::LoadU(di, row.column + e), shift);
      sums = hn::MulAdd(hn::LoadU(d, row.value + e), hn::GatherIndex(d, beta.first, place), sums);
    }
    hn::Store(sums, d, parts);
    for (std::size_t l = 0; e < row.count; ++e, ++l) {
      const float b = beta.first[beta.step * static_cast<std::size_t>(row.column[e])];
      const hn::CappedTag<float, 1> one;
      parts[l] = hn::GetLane(hn::MulAdd(hn::Set(one, row.value[e]), hn::Set(one, b), hn::Set(one, parts[l])));
    }
    scores[i] = sum_parts(parts, 1) + task.intercept[0];
  }
}

HWY_INLINE void gradient_of_one_class(const SparseBlock& block, const Cells& cells, std::size_t first,
                                      std::size_t rows, const float* HWY_RESTRICT scores) {
  float* HWY_RESTRICT cell = cells.column(0);
  for (std::size_t i = 0; i < rows; ++i) {
    const Entries row = entries_of(block, first + i);
    for (std::size_t e = 0; e < row.count; ++e) cell[2 * row.column[e] + 1] += scores[i] * row.value[e];
  }
}

// `parts` has room for (lanes of PartTag, stride).
HWY_INLINE void margins_of_classes(const SparseBlock& block, const ChunkTask& task,
                                   const Coefficients& coefficients, std::size_t first, std::size_t rows,
                                   float* HWY_RESTRICT scores, float* HWY_RESTRICT parts) {
  const hn::CappedTag<float, class_padding> d;
  const std::size_t lanes = hn::Lanes(PartTag());
  for (std::size_t i = 0; i < rows; ++i) {
    const Entries row = entries_of(block, first + i);
    std::fill_n(parts, lanes * task.stride, 0.0F);
    for (std::size_t e = 0; e < row.count; ++e) {
      const float* HWY_RESTRICT beta =
          coefficients.first + coefficients.step * static_cast<std::size_t>(row.column[e]);
      float* HWY_RESTRICT sums = parts + e % lanes * task.stride;
      const auto z = hn::Set(d, row.value[e]);
      for (std::size_t k = 0; k < task.stride; k += hn::Lanes(d)) {
        hn::Store(hn::MulAdd(z, hn::Load(d, beta + k), hn::Load(d, sums + k)), d, sums + k);
      }
    }
    for (std::size_t k = 0; k < task.classes; ++k)
      scores[k * max_block + i] = sum_parts(parts + k, task.stride) + task.intercept[k];
  }
}

HWY_INLINE void gradient_of_classes(const SparseBlock& block, const ChunkTask& task, const Cells& cells,
                                    std::size_t first, std::size_t rows, const float* HWY_RESTRICT scores,
                                    float* HWY_RESTRICT residual) {
  const hn::CappedTag<float, class_padding> d;
  std::fill_n(residual, task.stride, 0.0F);
  for (std::size_t i = 0; i < rows; ++i) {
    const Entries row = entries_of(block, first + i);
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

HWY_INLINE void margins_of_block(const SparseBlock& block, const ChunkTask& task, const Coefficients& beta,
                                 std::size_t first, std::size_t rows, float* HWY_RESTRICT scores,
                                 float* HWY_RESTRICT one_row) {
  if (task.stride == 1) {
    margins_of_one_class(block, task, beta, first, rows, scores);
  } else {
    margins_of_classes(block, task, beta, first, rows, scores, one_row);
  }
  keep_margins(task, first, rows, scores);
}

// Margins, and where there are tables residuals that the caller sums.
void csr_scores(const CsrRows& matrix, const ChunkTask& task) {
  const auto scores = hwy::AllocateAligned<float>(task.classes * max_block);
  const auto one_row = hwy::AllocateAligned<float>(task.stride * hn::Lanes(PartTag()));
  SparseBlocks blocks(matrix);
  for (std::size_t first = task.first; first < task.last; first += max_block) {
    const std::size_t rows = std::min(max_block, task.last - first);
    const SparseBlock block = blocks.read(first, rows);
    margins_of_block(block, task, {task.beta, task.stride}, first, rows, scores.get(), one_row.get());
    if (task.tables == nullptr) continue;
    residuals_of_block(task, first, rows, scores.get());
    for (std::size_t k = 0; k < task.stride; ++k) {
      float* HWY_RESTRICT out = task.residuals + first * task.stride + k;
      for (std::size_t i = 0; i < rows; ++i) {
        out[i * task.stride] = k < task.classes ? scores[k * max_block + i] : 0.0F;
      }
    }
  }
}

void csr_chunk(const CsrRows& matrix, const ChunkTask& task) {
  if (task.tables == nullptr || task.residuals != nullptr) return csr_scores(matrix, task);
  constexpr std::size_t block_rows = 16;       // their cells stay in the first-level cache
  constexpr std::size_t flush_rows = 1 << 14;  // sums in single precision over at most this many rows
  const auto scores = hwy::AllocateAligned<float>(task.classes * max_block);
  const auto one_row = hwy::AllocateAligned<float>(task.stride * hn::Lanes(PartTag()));
  SparseBlocks blocks(matrix);
  const Cells cells(matrix, task);
  std::size_t flushed = task.first;
  for (std::size_t first = task.first; first < task.last; first += block_rows) {
    const std::size_t rows = std::min(block_rows, task.last - first);
    const SparseBlock block = blocks.read(first, rows);
    margins_of_block(block, task, {cells.column(0), 2 * task.stride}, first, rows, scores.get(),
                     one_row.get());
    residuals_of_block(task, first, rows, scores.get());
    if (task.stride == 1) {
      gradient_of_one_class(block, cells, first, rows, scores.get());
    } else {
      gradient_of_classes(block, task, cells, first, rows, scores.get(), one_row.get());
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

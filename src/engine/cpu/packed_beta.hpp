// What the kernels of a pass take: coefficients of the raw values in their layout, and the table of a loss.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <hwy/aligned_allocator.h>

#include "engine/cpu/fused_pass.hpp"
#include "engine/cpu/pass_kernels.hpp"

namespace linkgistic {

struct PackedBeta {
  std::size_t stride = 0;
  std::size_t size = 0;
  hwy::AlignedFreeUniquePtr<float[]> beta;
  std::vector<float> intercept;
};

/// Where coefficient j of class k stands.
inline std::size_t place(bool sparse, std::size_t stride, std::size_t k, std::size_t j) {
  return sparse ? j * stride + k : k * stride + j;
}

/// `beta` (classes, columns + 1) of the features of the view, folded to the raw values.
PackedBeta pack(const RowView& view, std::size_t classes, std::span<const double> beta);

kernel::Table kernel_table(const PassClass& one_class);

void run_kernel(const RowMatrix& rows, const kernel::ChunkTask& task);

}  // namespace linkgistic

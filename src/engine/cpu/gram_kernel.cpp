// The weighted Gram matrix S' diag(h) S of a dense sample of rows.
#include "engine/cpu/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/gram_kernel.cpp"
// clang-format off: foreach_target includes this file again, and all that follows must come after it.
#include <algorithm>

#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/cpu/lookup-inl.hpp"
#include "engine/cpu/tiles-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace linkgistic::kernel::HWY_NAMESPACE {

// A group of rows i of the Gram matrix at a time: the same tile as the gradient's, its residuals h_n s_ni.
void gram_group(const GramTask& task) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  const std::size_t group = task.last - task.first;
  const auto left = hwy::AllocateAligned<float>(group * max_block);
  for (std::size_t first = 0; first < task.rows; first += max_block) {
    const std::size_t rows = std::min(max_block, task.rows - first);
    const float* s = task.sample + first * task.stride;
    constexpr std::size_t line = 16;  // floats: columns of `left` would drive each other out of the cache
    for (std::size_t from = 0; from < rows; from += line) {
      const std::size_t to = std::min(from + line, rows);
      for (std::size_t i = 0; i < group; ++i) {
        for (std::size_t n = from; n < to; ++n)
          left[i * max_block + n] = task.weights[first + n] * s[n * task.stride + task.first + i];
      }
    }
    const DenseBlock<float> block{s, task.stride, rows, task.stride / lanes};
    for_class_tiles(group, [&](auto c, std::size_t k) HWY_ATTR {
      double* gram = task.gram + (task.first + k) * task.stride;
      std::size_t v = (task.first + k) / lanes;  // the upper triangle
      for (; v + tile_rows <= block.vectors; v += tile_rows) {
        gradient_tile<c.value, tile_rows>(block, v * lanes, false, left.get() + k * max_block, gram,
                                          task.stride);
      }
      for (; v < block.vectors; ++v) {
        gradient_tile<c.value, 1>(block, v * lanes, false, left.get() + k * max_block, gram, task.stride);
      }
    });
  }
}

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic::kernel {

HWY_EXPORT(gram_group);

void gram_rows(const GramTask& task) { HWY_DYNAMIC_DISPATCH(gram_group)(task); }

}  // namespace linkgistic::kernel
#endif  // HWY_ONCE

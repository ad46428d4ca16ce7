// Loss and derivative along a line, from cached margins.
#include "engine/cpu/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/line_kernel.cpp"
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

LossNode line_values(const LineTask& task) {
  const FloatTag d;
  const IntTag di;
  const std::size_t lanes = hn::Lanes(d);
  DoubleSum value;
  DoubleSum slope;
  const auto t = hn::Set(d, task.t);
  HWY_ALIGN float margins[64] = {};
  HWY_ALIGN float directions[64] = {};
  HWY_ALIGN float weights[64] = {};
  HWY_ALIGN std::int32_t labels[64] = {};
  for (std::size_t i = task.first; i < task.last; i += lanes) {
    const std::size_t count = std::min(lanes, task.last - i);
    const float* m = task.margins + i;
    const float* dm = task.direction + i;
    const float* w = task.weights == nullptr ? nullptr : task.weights + i;
    const std::int32_t* y = task.labels + i;
    if (count < lanes) {  // the last rows: the lanes beyond them get weight 0
      std::copy_n(m, count, margins);
      std::copy_n(dm, count, directions);
      std::copy_n(y, count, labels);
      for (std::size_t j = 0; j < count; ++j) weights[j] = w == nullptr ? 1.0F : w[j];
      m = margins, dm = directions, w = weights, y = labels;
    }
    const auto direction = hn::LoadU(d, dm);
    const LookedUp l = look_up(task.table, hn::MulAdd(t, direction, hn::LoadU(d, m)), hn::LoadU(di, y));
    const auto weight = w == nullptr ? hn::Set(d, 1.0F) : hn::LoadU(d, w);
    value.add(hn::Mul(weight, l.value));
    slope.add(hn::Mul(hn::Mul(weight, l.slope), direction));
  }
  return {value.total(), slope.total()};
}

// The residuals at m + t dm, times dm.
LossNode softmax_line_values(const SoftmaxLineTask& task) {
  const auto scores = hwy::AllocateAligned<float>(task.classes * max_block);
  std::vector<double> totals(6 * task.classes);
  std::vector<const float*> weights(task.classes, task.weights);
  ChunkTask block{};
  block.first = task.first;
  block.last = task.last;
  block.classes = block.coupled = task.classes;
  block.tables = task.tables;
  block.labels = task.labels;
  block.weights = weights.data();
  block.loss = totals.data();
  block.residual = block.loss + task.classes;
  block.residual_size = block.residual + task.classes;
  block.lower = block.residual_size + task.classes;
  block.upper = block.lower + task.classes;
  block.least_signed = block.upper + task.classes;
  double slope = 0;
  for (std::size_t first = task.first; first < task.last; first += max_block) {
    const std::size_t rows = std::min(max_block, task.last - first);
    for (std::size_t k = 0; k < task.classes; ++k) {
      const float* m = task.margins[k] + first;
      const float* end = task.ends[k] + first;
      float* at = scores.get() + k * max_block;
      for (std::size_t i = 0; i < rows; ++i) at[i] = m[i] + task.t * (end[i] - m[i]);
    }
    residuals_of_block(block, first, rows, scores.get());
    for (std::size_t k = 0; k < task.classes; ++k) {
      const float* m = task.margins[k] + first;
      const float* end = task.ends[k] + first;
      const float* residual = scores.get() + k * max_block;
      double sum = 0;
      for (std::size_t i = 0; i < rows; ++i)
        sum += static_cast<double>(residual[i]) * static_cast<double>(end[i] - m[i]);
      slope += sum;
    }
  }
  return {totals[0], slope};
}

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic::kernel {

HWY_EXPORT(line_values);
HWY_EXPORT(softmax_line_values);

LossNode line_chunk(const LineTask& task) { return HWY_DYNAMIC_DISPATCH(line_values)(task); }
LossNode softmax_line_chunk(const SoftmaxLineTask& task) {
  return HWY_DYNAMIC_DISPATCH(softmax_line_values)(task);
}

}  // namespace linkgistic::kernel
#endif  // HWY_ONCE

// Loss and derivative along a line, from cached margins.
#include "engine/cpu/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/line_kernel.cpp"
// clang-format off: foreach_target includes this file again, and all that follows must come after it.
#include <algorithm>

#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/cpu/lookup-inl.hpp"
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

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic::kernel {

HWY_EXPORT(line_values);

LossNode line_chunk(const LineTask& task) { return HWY_DYNAMIC_DISPATCH(line_values)(task); }

}  // namespace linkgistic::kernel
#endif  // HWY_ONCE

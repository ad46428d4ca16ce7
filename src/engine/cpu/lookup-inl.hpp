// Vector helpers and the table lookup that turns margins into losses and residuals.
// Included once for each instruction set.
#include <algorithm>
#include <limits>

#include <hwy/highway.h>

#include "engine/cpu/pass_kernels.hpp"

#if defined(LINKGISTIC_LOOKUP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LINKGISTIC_LOOKUP_INL
#undef LINKGISTIC_LOOKUP_INL
#else
#define LINKGISTIC_LOOKUP_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace linkgistic::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::ScalableTag<std::int32_t>;
using DoubleTag = hn::ScalableTag<double>;
using FloatVec = hn::Vec<FloatTag>;

constexpr std::size_t max_block = 256;  // rows whose products are summed in single precision
HWY_INLINE FloatVec load(const float* p) { return hn::LoadU(FloatTag(), p); }

HWY_INLINE FloatVec load(const std::uint8_t* p) {
  const hn::Rebind<std::uint8_t, FloatTag> bytes;
  return hn::ConvertTo(FloatTag(), hn::PromoteTo(IntTag(), hn::LoadU(bytes, p)));
}

HWY_INLINE float sum(FloatVec v) { return hn::GetLane(hn::SumOfLanes(FloatTag(), v)); }

// to[i] += from[i], in double, for whole vectors.
HWY_INLINE void add_widened(const float* HWY_RESTRICT from, std::size_t count, double* HWY_RESTRICT to) {
  const DoubleTag d;
  const hn::Rebind<float, DoubleTag> part;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::Store(hn::Add(hn::Load(d, to + i), hn::PromoteTo(d, hn::Load(part, from + i))), d, to + i);
  }
}

// Sums of single-precision vectors, held in double.
class DoubleSum {
 public:
  HWY_INLINE void add(FloatVec v) {
    HWY_ALIGN float lanes[hn::MaxLanes(FloatTag())];
    hn::Store(v, FloatTag(), lanes);
    add_widened(lanes, hn::Lanes(FloatTag()), lanes_);
  }
  HWY_INLINE double total() const {
    double result = 0;
    for (std::size_t i = 0; i < hn::Lanes(FloatTag()); ++i) result += lanes_[i];
    return result;
  }

 private:
  HWY_ALIGN double lanes_[hn::MaxLanes(FloatTag())] = {};
};

struct LookedUp {
  FloatVec value;
  FloatVec slope;
};

// l(m) and l'(m) for margins m whose rows have these labels.
HWY_INLINE LookedUp look_up(const Table& table, FloatVec margin, hn::Vec<IntTag> label) {
  const FloatTag d;
  const IntTag di;
  const auto first = hn::Set(d, static_cast<float>(table.first_cell));
  const auto u = hn::Mul(margin, hn::Set(d, table.inverse_step));
  const auto last = hn::Set(d, static_cast<float>(table.cells - 1));
  const auto cell = hn::Min(hn::Max(hn::Sub(hn::Floor(u), first), hn::Zero(d)), last);
  const auto t = hn::Sub(u, hn::Add(cell, first));
  const auto positive = hn::RebindMask(di, hn::Eq(label, hn::Set(di, table.label)));
  const auto label_offset = hn::IfThenElseZero(positive, hn::Set(di, table.cells));
  const auto index = hn::ShiftLeft<2>(hn::Add(hn::ConvertTo(di, cell), label_offset));
  const auto c0 = hn::GatherIndex(d, table.packed, index);
  const auto c1 = hn::GatherIndex(d, table.packed + 1, index);
  const auto c2 = hn::GatherIndex(d, table.packed + 2, index);
  const auto c3 = hn::GatherIndex(d, table.packed + 3, index);
  const auto value = hn::MulAdd(t, hn::MulAdd(t, hn::MulAdd(t, c3, c2), c1), c0);
  const auto t3c3 = hn::Mul(hn::Mul(hn::Set(d, 3.0F), t), c3);
  const auto slope = hn::MulAdd(t, hn::Add(hn::Add(c2, c2), t3c3), c1);
  return {value, hn::Mul(slope, hn::Set(d, table.inverse_step))};
}

// scores: margins in, residuals w l' out; losses, residual sums and ranges go to the task's. Problems alone.
inline HWY_NOINLINE void residuals_of_problems(const ChunkTask& task, std::size_t first, std::size_t rows,
                                               float* HWY_RESTRICT scores) {
  const FloatTag d;
  const IntTag di;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN std::int32_t labels[max_block];
  HWY_ALIGN float weights[max_block];
  const std::size_t padded = (rows + lanes - 1) / lanes * lanes;
  for (std::size_t i = 0; i < padded; ++i) labels[i] = i < rows ? task.labels[first + i] : 0;
  const float* filled = weights;  // what `weights` holds: those of the class before, or nothing yet
  for (std::size_t k = 0; k < task.classes; ++k) {
    const float* own = task.weights[k];
    if (k == 0 || own != filled) {
      for (std::size_t i = 0; i < padded; ++i)
        weights[i] = i >= rows ? 0.0F : own != nullptr ? own[first - task.first + i] : 1.0F;
      filled = own;
    }
    float* HWY_RESTRICT row_scores = scores + k * max_block;
    std::fill(row_scores + rows, row_scores + padded, 0.0F);
    DoubleSum loss;
    DoubleSum residual;
    DoubleSum size;
    const auto infinity = hn::Set(d, std::numeric_limits<float>::infinity());
    auto lower = infinity;
    auto least = infinity;
    auto upper = hn::Neg(infinity);
    for (std::size_t i = 0; i < padded; i += lanes) {
      const auto w = hn::Load(d, weights + i);
      const auto m = hn::Load(d, row_scores + i);
      const auto label = hn::Load(di, labels + i);
      const LookedUp l = look_up(task.tables[k], m, label);
      const auto r = hn::Mul(w, l.slope);
      loss.add(hn::Mul(w, l.value));
      residual.add(r);
      size.add(hn::Abs(r));
      hn::Store(r, d, row_scores + i);
      const auto counts = hn::Gt(w, hn::Zero(d));
      const auto positive = hn::RebindMask(d, hn::Eq(label, hn::Set(di, task.tables[k].label)));
      lower = hn::IfThenElse(counts, hn::Min(lower, m), lower);
      upper = hn::IfThenElse(counts, hn::Max(upper, m), upper);
      const auto own_side = hn::IfThenElse(positive, m, hn::Neg(m));
      least = hn::IfThenElse(counts, hn::Min(least, own_side), least);
    }
    task.loss[k] += loss.total();
    task.residual[k] += residual.total();
    task.residual_size[k] += size.total();
    task.lower[k] = std::min(task.lower[k], static_cast<double>(hn::GetLane(hn::MinOfLanes(d, lower))));
    task.upper[k] = std::max(task.upper[k], static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, upper))));
    task.least_signed[k] =
        std::min(task.least_signed[k], static_cast<double>(hn::GetLane(hn::MinOfLanes(d, least))));
  }
}

inline void keep_margins(const ChunkTask& task, std::size_t first, std::size_t rows, const float* scores) {
  if (task.margins == nullptr) return;
  for (std::size_t k = 0; k < task.classes; ++k) {
    std::copy_n(scores + k * max_block, rows, task.margins[k] + first);
  }
}

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

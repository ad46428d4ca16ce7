// Margins of a block of rows to residuals: problems alone by their tables, classes of a softmax together.
// Included once for each instruction set.
#include <algorithm>
#include <limits>

#include <hwy/aligned_allocator.h>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "engine/cpu/lookup-inl.hpp"
#include "engine/cpu/pass_kernels.hpp"

#if defined(LINKGISTIC_SOFTMAX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LINKGISTIC_SOFTMAX_INL
#undef LINKGISTIC_SOFTMAX_INL
#else
#define LINKGISTIC_SOFTMAX_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace linkgistic::kernel::HWY_NAMESPACE {

// One softmax of a block: nu_k and nu_k' by lookup, p = softmax(nu), residuals w (p_k - y_k) nu_k' in place
// of the margins, a vector of rows at a time. Scratch: slopes and ranges of all classes, one vector each.
inline HWY_NOINLINE void softmax_of_rows(const ChunkTask& task, std::size_t set, std::size_t rows,
                                         const std::int32_t* HWY_RESTRICT labels,
                                         const float* HWY_RESTRICT weights, float* HWY_RESTRICT scratch,
                                         float* HWY_RESTRICT scores) {
  const FloatTag d;
  const IntTag di;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t classes = task.coupled;
  const Table* tables = task.tables + set;
  float* HWY_RESTRICT slopes = scratch;
  float* HWY_RESTRICT lowest = scratch + classes * lanes;
  float* HWY_RESTRICT highest = lowest + classes * lanes;
  const auto infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  std::fill_n(lowest, classes * lanes, std::numeric_limits<float>::infinity());
  std::fill_n(highest, classes * lanes, -std::numeric_limits<float>::infinity());
  const auto no_label = hn::Set(di, -1);
  DoubleSum loss;
  auto least = infinity;
  for (std::size_t i = 0; i < rows; i += lanes) {
    const auto label = hn::Load(di, labels + i);
    const auto given = hn::Load(d, weights + i);
    const auto counts = hn::Gt(given, hn::Zero(d));
    auto own = hn::Neg(infinity);
    auto rival = hn::Neg(infinity);
    for (std::size_t k = 0; k < classes; ++k) {
      float* at = scores + k * max_block + i;
      const auto m = hn::Load(d, at);
      float* low = lowest + k * lanes;
      float* high = highest + k * lanes;
      hn::Store(hn::IfThenElse(counts, hn::Min(hn::Load(d, low), m), hn::Load(d, low)), d, low);
      hn::Store(hn::IfThenElse(counts, hn::Max(hn::Load(d, high), m), hn::Load(d, high)), d, high);
      const LookedUp link = look_up(tables[k], m, no_label);
      const auto is_own = hn::RebindMask(d, hn::Eq(label, hn::Set(di, tables[k].label)));
      own = hn::IfThenElse(is_own, link.value, own);
      rival = hn::IfThenElse(is_own, rival, hn::Max(rival, link.value));
      hn::Store(link.value, d, at);
      hn::Store(link.slope, d, slopes + k * lanes);
    }
    const auto known = hn::Gt(own, hn::Neg(infinity));
    const auto w = hn::IfThenElseZero(known, given);
    const auto most = hn::Max(own, rival);
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < classes; ++k) {
      float* at = scores + k * max_block + i;
      const auto e = hn::Exp(d, hn::Sub(hn::Load(d, at), most));
      sum = hn::Add(sum, e);
      hn::Store(e, d, at);
    }
    const auto share = hn::Div(hn::Set(d, 1.0F), sum);
    for (std::size_t k = 0; k < classes; ++k) {
      float* at = scores + k * max_block + i;
      const auto is_own = hn::RebindMask(d, hn::Eq(label, hn::Set(di, tables[k].label)));
      const auto p = hn::Mul(hn::Load(d, at), share);
      const auto r = hn::Sub(p, hn::IfThenElseZero(is_own, hn::Set(d, 1.0F)));
      hn::Store(hn::Mul(hn::Mul(w, r), hn::Load(d, slopes + k * lanes)), d, at);
    }
    const auto value = hn::Sub(hn::Add(hn::Log(d, sum), most), own);
    loss.add(hn::IfThenElseZero(known, hn::Mul(w, value)));
    least = hn::IfThenElse(hn::And(counts, known), hn::Min(least, hn::Sub(own, rival)), least);
  }
  task.loss[set] += loss.total();
  task.least_signed[set] =
      std::min(task.least_signed[set], static_cast<double>(hn::GetLane(hn::MinOfLanes(d, least))));
  for (std::size_t k = 0; k < classes; ++k) {
    DoubleSum residual;
    DoubleSum size;
    for (std::size_t i = 0; i < rows; i += lanes) {
      const auto r = hn::Load(d, scores + k * max_block + i);
      residual.add(r);
      size.add(hn::Abs(r));
    }
    task.residual[set + k] += residual.total();
    task.residual_size[set + k] += size.total();
    const auto low = hn::MinOfLanes(d, hn::Load(d, lowest + k * lanes));
    const auto high = hn::MaxOfLanes(d, hn::Load(d, highest + k * lanes));
    task.lower[set + k] = std::min(task.lower[set + k], static_cast<double>(hn::GetLane(low)));
    task.upper[set + k] = std::max(task.upper[set + k], static_cast<double>(hn::GetLane(high)));
  }
}

// scores: margins in, residuals out.
inline HWY_NOINLINE void residuals_of_block(const ChunkTask& task, std::size_t first, std::size_t rows,
                                            float* HWY_RESTRICT scores) {
  if (task.coupled == 1) return residuals_of_problems(task, first, rows, scores);
  const std::size_t lanes = hn::Lanes(FloatTag());
  const std::size_t padded = (rows + lanes - 1) / lanes * lanes;
  HWY_ALIGN std::int32_t labels[max_block];
  HWY_ALIGN float weights[max_block];
  const auto scratch = hwy::AllocateAligned<float>(3 * task.coupled * lanes);
  for (std::size_t i = 0; i < padded; ++i) labels[i] = i < rows ? task.labels[first + i] : -1;
  for (std::size_t set = 0; set < task.classes; set += task.coupled) {
    const float* own = task.weights[set];
    for (std::size_t i = 0; i < padded; ++i)
      weights[i] = i >= rows ? 0.0F : own != nullptr ? own[first - task.first + i] : 1.0F;
    float* of_set = scores + set * max_block;
    for (std::size_t k = 0; k < task.coupled; ++k)
      std::fill(of_set + k * max_block + rows, of_set + k * max_block + padded, 0.0F);
    softmax_of_rows(task, set, padded, labels, weights, scratch.get(), of_set);
  }
}

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

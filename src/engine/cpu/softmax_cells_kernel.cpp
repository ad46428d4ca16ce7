// Moments in cells of the scores of a softmax (engine/verbs/cells.hpp), a vector of rows at a time, in double
// precision.
#include "engine/cpu/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/softmax_cells_kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <algorithm>
#include <limits>

#include <hwy/aligned_allocator.h>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace linkgistic::kernel::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using DoubleTag = hn::ScalableTag<double>;
using DoubleVec = hn::Vec<DoubleTag>;
constexpr std::size_t most_lanes = hn::MaxLanes(DoubleTag());

// The cell of a place u, counted in cells from the first, and u - cell; NaN is in the first.
struct Place {
  DoubleVec cell, within;
};
HWY_INLINE Place place_of(DoubleVec u, std::int64_t cells) {
  const DoubleTag d;
  const auto last = hn::Set(d, static_cast<double>(cells - 1));
  const auto cell = hn::Min(hn::Max(hn::Floor(u), hn::Zero(d)), last);
  const auto known = hn::IfThenElseZero(hn::Eq(u, u), cell);
  return {known, hn::Sub(u, known)};
}

// nu by its table.
HWY_INLINE DoubleVec look_up(const SoftmaxCells& of, DoubleVec score) {
  const DoubleTag d;
  const hn::RebindToSigned<DoubleTag> whole;
  const auto u =
      hn::Sub(hn::Mul(score, hn::Set(d, of.inverse_step)), hn::Set(d, static_cast<double>(of.first_node)));
  const auto [cell, t] = place_of(u, of.nodes);
  const auto at = hn::ShiftLeft<2>(hn::ConvertTo(whole, cell));
  const auto c0 = hn::GatherIndex(d, of.link, at);
  const auto c1 = hn::GatherIndex(d, of.link + 1, at);
  const auto c2 = hn::GatherIndex(d, of.link + 2, at);
  const auto c3 = hn::GatherIndex(d, of.link + 3, at);
  return hn::MulAdd(t, hn::MulAdd(t, hn::MulAdd(t, c3, c2), c1), c0);
}

// Weights times the powers 0 to 3 of d, row by row.
HWY_INLINE void write_moments(DoubleVec weight, DoubleVec d, double* HWY_RESTRICT to) {
  const auto first = hn::Mul(weight, d);
  const auto second = hn::Mul(first, d);
  hn::StoreInterleaved4(weight, first, second, hn::Mul(second, d), DoubleTag(), to);
}

HWY_INLINE void add_moments(const double* HWY_RESTRICT from, double* HWY_RESTRICT to) {
  const hn::CappedTag<double, 4> four;
  for (std::size_t i = 0; i < 4; i += hn::Lanes(four))
    hn::StoreU(hn::Add(hn::LoadU(four, to + i), hn::LoadU(four, from + i)), four, to + i);
}

}  // namespace

double add_softmax_cells(const SoftmaxCellsTask& task) {
  const DoubleTag d;
  const hn::Rebind<float, DoubleTag> single;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t classes = task.classes;
  const auto scores = hwy::AllocateAligned<double>(classes * lanes);
  const auto values = hwy::AllocateAligned<double>(classes * lanes);  // nu, then exp(nu - the greatest)
  const auto none = hn::Set(d, -std::numeric_limits<double>::infinity());
  auto loss = hn::Zero(d);
  HWY_ALIGN double weights[most_lanes], labels[most_lanes], places[most_lanes];
  HWY_ALIGN double all[4 * most_lanes], information[4 * most_lanes], own_moments[4 * most_lanes];
  HWY_ALIGN float margins[most_lanes] = {};
  for (std::size_t first = task.first; first < task.last; first += lanes) {
    const std::size_t rows = std::min(lanes, task.last - first);
    for (std::size_t i = 0; i < lanes; ++i) {
      weights[i] = i >= rows                 ? 0
                   : task.weights == nullptr ? 1
                                             : static_cast<double>(task.weights[first - task.first + i]);
      labels[i] = i >= rows ? -1 : task.labels[first + i];
    }
    const auto label = hn::Load(d, labels);
    auto most = none, own = none;
    for (std::size_t k = 0; k < classes; ++k) {
      std::copy_n(task.margins[k] + first, rows, margins);
      const auto score = hn::PromoteTo(d, hn::Load(single, margins));
      const auto value = look_up(task.of[k], score);
      hn::Store(score, d, scores.get() + k * lanes);
      hn::Store(value, d, values.get() + k * lanes);
      most = hn::Max(most, value);
      own = hn::IfThenElse(hn::Eq(label, hn::Set(d, task.of[k].label)), value, own);
    }
    // A row with a label of none of the classes does not count.
    const auto w = hn::IfThenElseZero(hn::Gt(own, none), hn::Load(d, weights));
    hn::Store(w, d, weights);
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < classes; ++k) {
      double* at = values.get() + k * lanes;
      const auto e = hn::Exp(d, hn::Sub(hn::Load(d, at), most));
      sum = hn::Add(sum, e);
      hn::Store(e, d, at);
    }
    const auto counts = hn::Gt(w, hn::Zero(d));
    const auto lost = hn::Sub(hn::Add(hn::Log(d, sum), most), own);
    loss = hn::Add(loss, hn::IfThenElseZero(counts, hn::Mul(w, lost)));
    for (std::size_t k = 0; k < classes; ++k) {
      const SoftmaxCells& of = task.of[k];
      const auto score = hn::Load(d, scores.get() + k * lanes);
      const auto u = hn::Div(hn::Sub(score, hn::Set(d, of.lower)), hn::Set(d, of.width));
      const auto [cell, within] = place_of(u, of.cells);
      const auto at = hn::Sub(hn::Add(within, within), hn::Set(d, 1.0));
      const auto p = hn::Div(hn::Load(d, values.get() + k * lanes), sum);
      const auto share = hn::Mul(w, p);
      write_moments(share, at, all);
      write_moments(hn::Mul(share, hn::Sub(hn::Set(d, 1.0), p)), at, information);
      write_moments(w, at, own_moments);
      hn::Store(cell, d, places);
      for (std::size_t i = 0; i < rows; ++i) {
        if (!(weights[i] > 0)) continue;
        double* to = of.moments + 12 * static_cast<std::size_t>(places[i]);
        if (labels[i] == of.label) add_moments(own_moments + 4 * i, to);
        add_moments(all + 4 * i, to + 4);
        add_moments(information + 4 * i, to + 8);
      }
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, loss));
}

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic::kernel {

HWY_EXPORT(add_softmax_cells);

double softmax_cells_chunk(const SoftmaxCellsTask& task) {
  return HWY_DYNAMIC_DISPATCH(add_softmax_cells)(task);
}

}  // namespace linkgistic::kernel
#endif  // HWY_ONCE

// The gradient half of the pass from the column-by-column copy of sparse rows: a gather of a residual an
// entry, sums in registers.
#include "engine/cpu/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/column_kernels.cpp"
// clang-format off: foreach_target includes this file again, and all that follows must come after it.
#include <algorithm>

#include <hwy/aligned_allocator.h>
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// clang-format on

HWY_BEFORE_NAMESPACE();
namespace linkgistic::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t lanes_of_group = ColumnBlocks::lanes;

// sums[l] = sum_s value[s lanes + l] r[row[s lanes + l]]
HWY_INLINE void sum_steps(const std::uint16_t* HWY_RESTRICT rows, const float* HWY_RESTRICT values,
                          std::size_t steps, const float* HWY_RESTRICT residuals, float* HWY_RESTRICT sums) {
  const hn::CappedTag<float, lanes_of_group> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint16_t, decltype(d)> short_rows;
  constexpr std::size_t ahead = 1024;  // slots
  for (std::size_t l = 0; l < lanes_of_group; l += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t s = l; s < steps * lanes_of_group; s += lanes_of_group) {
      hwy::Prefetch(rows + s + ahead);
      hwy::Prefetch(values + s + ahead);
      const auto row = hn::PromoteTo(di, hn::LoadU(short_rows, rows + s));
      sum = hn::MulAdd(hn::GatherIndex(d, residuals, row), hn::LoadU(d, values + s), sum);
    }
    hn::Store(sum, d, sums + l);
  }
}

void gradient_of_one_class(const ColumnTask& task) {
  constexpr std::size_t max_steps = 256;  // summed in single precision
  const ColumnBlocks::Block& block = *task.block;
  const ColumnBlocks::Tile& tile = *task.tile;
  const std::uint16_t* column = block.columns.data() + tile.first_column;
  const std::uint16_t* rows = block.rows.data() + tile.first_slot;
  const float* values = block.values.data() + tile.first_slot;
  HWY_ALIGN float sums[lanes_of_group];
  for (std::size_t g = 0; g < tile.groups; ++g) {
    const std::size_t steps = block.steps[tile.first_group + g];
    if (g < tile.long_groups) {
      double total = 0;
      for (std::size_t s = 0; s < steps; s += max_steps) {
        const std::size_t slot = s * lanes_of_group;
        sum_steps(rows + slot, values + slot, std::min(max_steps, steps - s), task.residuals, sums);
        for (const float sum : sums) total += static_cast<double>(sum);
      }
      task.gradient[*column++] += total;
    } else {
      sum_steps(rows, values, steps, task.residuals, sums);
      for (const float sum : sums) task.gradient[*column++] += static_cast<double>(sum);
    }
    rows += steps * lanes_of_group;
    values += steps * lanes_of_group;
  }
}

// gradient[k] += sum_i value[i stride] r[row[i stride], k] over i < count, the classes k side by side.
HWY_INLINE void add_column(const ColumnTask& task, const std::uint16_t* HWY_RESTRICT rows,
                           const float* HWY_RESTRICT values, std::size_t count, std::size_t stride,
                           double* HWY_RESTRICT gradient) {
  constexpr std::size_t max_entries = 256;  // summed in single precision
  const hn::CappedTag<float, class_padding> d;
  HWY_ALIGN float sums[class_padding];
  for (std::size_t k = 0; k < task.stride; k += hn::Lanes(d)) {
    for (std::size_t first = 0; first < count; first += max_entries) {
      auto sum = hn::Zero(d);
      for (std::size_t i = first; i < std::min(count, first + max_entries); ++i) {
        const float* residual = task.residuals + rows[i * stride] * task.stride + k;
        sum = hn::MulAdd(hn::Set(d, values[i * stride]), hn::Load(d, residual), sum);
      }
      hn::Store(sum, d, sums);
      for (std::size_t l = 0; l < hn::Lanes(d); ++l) gradient[k + l] += static_cast<double>(sums[l]);
    }
  }
}

void gradient_of_classes(const ColumnTask& task) {
  const ColumnBlocks::Block& block = *task.block;
  const ColumnBlocks::Tile& tile = *task.tile;
  const std::uint16_t* column = block.columns.data() + tile.first_column;
  std::size_t slot = tile.first_slot;
  for (std::size_t g = 0; g < tile.groups; ++g) {
    const std::size_t steps = block.steps[tile.first_group + g];
    const bool is_long = g < tile.long_groups;
    const std::size_t columns = is_long ? 1 : lanes_of_group;
    const std::size_t count = is_long ? steps * lanes_of_group : steps;
    for (std::size_t l = 0; l < columns; ++l) {
      add_column(task, block.rows.data() + slot + l, block.values.data() + slot + l, count, columns,
                 task.gradient + *column++ * task.stride);
    }
    slot += steps * lanes_of_group;
  }
}

void tile_gradient(const ColumnTask& task) {
  if (task.stride == 1) {
    gradient_of_one_class(task);
  } else {
    gradient_of_classes(task);
  }
}

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic::kernel {

HWY_EXPORT(tile_gradient);

void column_gradient(const ColumnTask& task) { HWY_DYNAMIC_DISPATCH(tile_gradient)(task); }

}  // namespace linkgistic::kernel
#endif  // HWY_ONCE

// The fused pass for a chunk of rows, compiled once for each instruction set and chosen at run time.
//
// Cost for N rows, D columns, C classes: 4 N D C operations and N D sizeof(T) bytes, each byte fetched once
// from memory and, in the second product, again from the second-level cache. Lanes run over columns; a tile
// of rows x classes (margins) or classes x vectors (gradient) of sums is held in registers, so that about one
// load serves two multiply-adds.
#include "compute/pass_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/pass_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <algorithm>
#include <utility>

#include <hwy/aligned_allocator.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace linkgistic::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::ScalableTag<std::int32_t>;
using DoubleTag = hn::ScalableTag<double>;
using FloatVec = hn::Vec<FloatTag>;

constexpr std::size_t max_block = 256;  // rows whose products are summed in single precision
#if HWY_TARGET <= HWY_AVX3
constexpr int tile_rows = 4;  // 32 registers
#else
constexpr int tile_rows = 2;  // 16 registers
#endif
constexpr int tile_classes = 5;

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

// A block of dense rows: consecutive in the matrix, or a padded copy where a vector would read past its end.
template <class T>
struct DenseBlock {
  const T* values;
  std::size_t stride;
  std::size_t rows;
  std::size_t vectors;  // per row
};

// margins (R rows x C classes) = Z_b B.
template <int R, int C, class T>
HWY_INLINE void margin_tile(const DenseBlock<T>& block, std::size_t row, const float* HWY_RESTRICT beta,
                            std::size_t beta_stride, const float* HWY_RESTRICT intercept,
                            float* HWY_RESTRICT scores) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  FloatVec acc[R][C];
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) acc[r][c] = hn::Zero(d);
  }
  const T* HWY_RESTRICT z = block.values + row * block.stride;
  for (std::size_t v = 0; v < block.vectors; ++v) {
    FloatVec zv[R];
    for (int r = 0; r < R; ++r) zv[r] = load(z + static_cast<std::size_t>(r) * block.stride + v * lanes);
    for (int c = 0; c < C; ++c) {
      const auto b = hn::Load(d, beta + static_cast<std::size_t>(c) * beta_stride + v * lanes);
      for (int r = 0; r < R; ++r) acc[r][c] = hn::MulAdd(zv[r], b, acc[r][c]);
    }
  }
  // Stored whole before they are reduced: a reduction in this loop would keep the compiler from holding acc
  // in registers.
  HWY_ALIGN float partial[R * C * hn::MaxLanes(FloatTag())];
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c)
      hn::Store(acc[r][c], d, partial + static_cast<std::size_t>(r * C + c) * lanes);
  }
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t c = 0; c < C; ++c) {
      scores[c * max_block + row + r] = sum(hn::Load(d, partial + (r * C + c) * lanes)) + intercept[c];
    }
  }
}

template <int C, class T>
HWY_INLINE void margins_of_block(const DenseBlock<T>& block, const ChunkTask& task, std::size_t k,
                                 float* HWY_RESTRICT scores) {
  const float* beta = task.beta + k * task.stride;
  const float* intercept = task.intercept + k;
  float* out = scores + k * max_block;
  std::size_t row = 0;
  for (; row + tile_rows <= block.rows; row += tile_rows) {
    margin_tile<tile_rows, C>(block, row, beta, task.stride, intercept, out);
  }
  for (; row < block.rows; ++row) margin_tile<1, C>(block, row, beta, task.stride, intercept, out);
}

// gradient (C classes x V vectors of columns) += R_b' Z_b; the next block of rows is fetched on the way.
template <int C, int V, class T>
HWY_INLINE void gradient_tile(const DenseBlock<T>& block, std::size_t column, bool prefetch,
                              const float* HWY_RESTRICT residual, double* HWY_RESTRICT gradient,
                              std::size_t stride) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  FloatVec acc[C][V];
  for (int c = 0; c < C; ++c) {
    for (int v = 0; v < V; ++v) acc[c][v] = hn::Zero(d);
  }
  const T* HWY_RESTRICT z = block.values + column;
  const std::size_t ahead = block.rows * block.stride;
  for (std::size_t row = 0; row < block.rows; ++row, z += block.stride) {
    FloatVec zv[V];
    for (int v = 0; v < V; ++v) {
      zv[v] = load(z + static_cast<std::size_t>(v) * lanes);
      if (prefetch) __builtin_prefetch(z + ahead + static_cast<std::size_t>(v) * lanes, 0, 2);
    }
    for (int c = 0; c < C; ++c) {
      const auto r = hn::Set(d, residual[static_cast<std::size_t>(c) * max_block + row]);
      for (int v = 0; v < V; ++v) acc[c][v] = hn::MulAdd(zv[v], r, acc[c][v]);
    }
  }
  HWY_ALIGN float partial[C * V * hn::MaxLanes(FloatTag())];
  for (int c = 0; c < C; ++c) {
    for (int v = 0; v < V; ++v)
      hn::Store(acc[c][v], d, partial + static_cast<std::size_t>(c * V + v) * lanes);
  }
  for (std::size_t c = 0; c < C; ++c) {
    add_widened(partial + c * V * lanes, V * lanes, gradient + c * stride + column);
  }
}

template <int C, class T>
HWY_INLINE void gradient_of_block(const DenseBlock<T>& block, bool prefetch, const ChunkTask& task,
                                  std::size_t k, const float* HWY_RESTRICT scores) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  constexpr int V = C >= 4 ? tile_rows : C == 3 ? 4 : C == 2 ? 4 : 8;
  const float* residual = scores + k * max_block;
  double* gradient = task.gradient + k * task.stride;
  const bool fetch = prefetch && k == 0;
  std::size_t v = 0;
  for (; v + V <= block.vectors; v += V) {
    gradient_tile<C, V>(block, v * lanes, fetch, residual, gradient, task.stride);
  }
  for (; v < block.vectors; ++v) {
    gradient_tile<C, 1>(block, v * lanes, fetch, residual, gradient, task.stride);
  }
}

// Calls f<C>(k) for tiles of at most tile_classes classes that start at class k.
template <class F>
HWY_INLINE void for_class_tiles(std::size_t classes, F&& f) {
  std::size_t k = 0;
  for (; k + tile_classes <= classes; k += tile_classes) f(std::integral_constant<int, tile_classes>(), k);
  switch (classes - k) {
    case 1:
      f(std::integral_constant<int, 1>(), k);
      break;
    case 2:
      f(std::integral_constant<int, 2>(), k);
      break;
    case 3:
      f(std::integral_constant<int, 3>(), k);
      break;
    case 4:
      f(std::integral_constant<int, 4>(), k);
      break;
    default:
      break;
  }
}

// scores: margins in, residuals w l' out; losses and residual sums are added to the task's.
HWY_NOINLINE void residuals_of_block(const ChunkTask& task, std::size_t first, std::size_t rows,
                                     float* HWY_RESTRICT scores) {
  const FloatTag d;
  const IntTag di;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN std::int32_t labels[max_block];
  HWY_ALIGN float weights[max_block];
  const std::size_t padded = (rows + lanes - 1) / lanes * lanes;
  for (std::size_t i = 0; i < padded; ++i) {
    labels[i] = i < rows ? task.labels[first + i] : 0;
    weights[i] = i >= rows ? 0.0F : task.weights != nullptr ? task.weights[first + i] : 1.0F;
  }
  for (std::size_t k = 0; k < task.classes; ++k) {
    float* HWY_RESTRICT row_scores = scores + k * max_block;
    std::fill(row_scores + rows, row_scores + padded, 0.0F);
    DoubleSum loss;
    DoubleSum residual;
    for (std::size_t i = 0; i < padded; i += lanes) {
      const auto w = hn::Load(d, weights + i);
      const LookedUp l = look_up(task.tables[k], hn::Load(d, row_scores + i), hn::Load(di, labels + i));
      const auto r = hn::Mul(w, l.slope);
      loss.add(hn::Mul(w, l.value));
      residual.add(r);
      hn::Store(r, d, row_scores + i);
    }
    task.loss[k] += loss.total();
    task.residual[k] += residual.total();
  }
}

void keep_margins(const ChunkTask& task, std::size_t total_rows, std::size_t first, std::size_t rows,
                  const float* scores) {
  if (task.margins == nullptr) return;
  for (std::size_t k = 0; k < task.classes; ++k) {
    std::copy_n(scores + k * max_block, rows, task.margins + k * total_rows + first);
  }
}

template <class T>
HWY_INLINE void dense_chunk(const DenseRows<T>& matrix, const ChunkTask& task) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  const std::size_t vectors = (matrix.columns + lanes - 1) / lanes;
  constexpr std::size_t block_bytes = 256 * 1024;
  const std::size_t block_rows =
      std::clamp<std::size_t>(block_bytes / (matrix.columns * sizeof(T) + 1) / 16 * 16, 16, max_block);
  const auto scores = hwy::AllocateAligned<float>(task.classes * max_block);
  hwy::AlignedFreeUniquePtr<T[]> copy;
  for (std::size_t first = task.first; first < task.last; first += block_rows) {
    const std::size_t rows = std::min(block_rows, task.last - first);
    DenseBlock<T> block{matrix.row(first), matrix.columns, rows, vectors};
    const bool reads_past_end = (first + rows - 1) * matrix.columns + vectors * lanes > matrix.values.size();
    if (reads_past_end) {
      const std::size_t padded = vectors * lanes;
      copy = hwy::AllocateAligned<T>(rows * padded);
      std::fill_n(copy.get(), rows * padded, T{0});
      for (std::size_t i = 0; i < rows; ++i)
        std::copy_n(matrix.row(first + i), matrix.columns, copy.get() + i * padded);
      block.values = copy.get();
      block.stride = padded;
    }
    for_class_tiles(task.classes, [&](auto c, std::size_t k)
                                      HWY_ATTR { margins_of_block<c.value>(block, task, k, scores.get()); });
    keep_margins(task, matrix.rows, first, rows, scores.get());
    if (task.tables == nullptr) continue;
    residuals_of_block(task, first, rows, scores.get());
    const bool prefetch = first + 2 * block_rows <= task.last;
    for_class_tiles(task.classes, [&](auto c, std::size_t k) HWY_ATTR {
      gradient_of_block<c.value>(block, prefetch, task, k, scores.get());
    });
  }
}

void bytes_chunk(const DenseRows<std::uint8_t>& rows, const ChunkTask& task) { dense_chunk(rows, task); }
void floats_chunk(const DenseRows<float>& rows, const ChunkTask& task) { dense_chunk(rows, task); }

// One class: a gather and a scatter an entry.
HWY_INLINE void sparse_margins_one(const CsrRows& matrix, const ChunkTask& task, std::size_t first,
                                   std::size_t rows, float* HWY_RESTRICT scores) {
  const float* HWY_RESTRICT beta = task.beta;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t begin = matrix.row_start[first + i];
    const std::int64_t end = matrix.row_start[first + i + 1];
    const std::int32_t* HWY_RESTRICT column = matrix.column.data();
    const float* HWY_RESTRICT value = matrix.value.data();
    float a = 0;
    float b = 0;
    std::int64_t e = begin;
    for (; e + 2 <= end; e += 2) {
      a += value[e] * beta[column[e]];
      b += value[e + 1] * beta[column[e + 1]];
    }
    if (e < end) a += value[e] * beta[column[e]];
    scores[i] = a + b + task.intercept[0];
  }
}

HWY_INLINE void sparse_gradient_one(const CsrRows& matrix, const ChunkTask& task, std::size_t first,
                                    std::size_t rows, const float* HWY_RESTRICT scores) {
  double* HWY_RESTRICT gradient = task.gradient;
  const std::int32_t* HWY_RESTRICT column = matrix.column.data();
  const float* HWY_RESTRICT value = matrix.value.data();
  for (std::size_t i = 0; i < rows; ++i) {
    const double r = static_cast<double>(scores[i]);
    for (std::int64_t e = matrix.row_start[first + i]; e < matrix.row_start[first + i + 1]; ++e) {
      gradient[column[e]] += r * static_cast<double>(value[e]);
    }
  }
}

// Many classes: the coefficients of a column stand together, so that an entry touches one or two cache lines.
HWY_INLINE void sparse_margins(const CsrRows& matrix, const ChunkTask& task, std::size_t first,
                               std::size_t rows, float* HWY_RESTRICT scores, float* HWY_RESTRICT sums) {
  for (std::size_t i = 0; i < rows; ++i) {
    std::fill_n(sums, task.stride, 0.0F);
    for (std::int64_t e = matrix.row_start[first + i]; e < matrix.row_start[first + i + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const float* HWY_RESTRICT beta =
          task.beta + static_cast<std::size_t>(matrix.column[entry]) * task.stride;
      const float z = matrix.value[entry];
      for (std::size_t k = 0; k < task.stride; k += class_padding) {
        for (std::size_t c = 0; c < class_padding; ++c) sums[k + c] += z * beta[k + c];
      }
    }
    for (std::size_t k = 0; k < task.classes; ++k) scores[k * max_block + i] = sums[k] + task.intercept[k];
  }
}

HWY_INLINE void sparse_gradient(const CsrRows& matrix, const ChunkTask& task, std::size_t first,
                                std::size_t rows, const float* HWY_RESTRICT scores,
                                float* HWY_RESTRICT residual) {
  std::fill_n(residual, task.stride, 0.0F);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < task.classes; ++k) residual[k] = scores[k * max_block + i];
    for (std::int64_t e = matrix.row_start[first + i]; e < matrix.row_start[first + i + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      double* HWY_RESTRICT g = task.gradient + static_cast<std::size_t>(matrix.column[entry]) * task.stride;
      const float z = matrix.value[entry];
      for (std::size_t k = 0; k < task.stride; k += class_padding) {
        for (std::size_t c = 0; c < class_padding; ++c) g[k + c] += static_cast<double>(z * residual[k + c]);
      }
    }
  }
}

void csr_chunk(const CsrRows& matrix, const ChunkTask& task) {
  constexpr std::size_t block_rows = 64;
  const auto scores = hwy::AllocateAligned<float>(task.classes * max_block);
  const auto one_row = hwy::AllocateAligned<float>(task.stride);
  const bool one_class = task.stride == 1;
  for (std::size_t first = task.first; first < task.last; first += block_rows) {
    const std::size_t rows = std::min(block_rows, task.last - first);
    if (one_class) {
      sparse_margins_one(matrix, task, first, rows, scores.get());
    } else {
      sparse_margins(matrix, task, first, rows, scores.get(), one_row.get());
    }
    keep_margins(task, matrix.rows, first, rows, scores.get());
    if (task.tables == nullptr) continue;
    residuals_of_block(task, first, rows, scores.get());
    if (one_class) {
      sparse_gradient_one(matrix, task, first, rows, scores.get());
    } else {
      sparse_gradient(matrix, task, first, rows, scores.get(), one_row.get());
    }
  }
}

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

HWY_EXPORT(bytes_chunk);
HWY_EXPORT(floats_chunk);
HWY_EXPORT(csr_chunk);
HWY_EXPORT(line_values);

void pass_chunk(const DenseRows<std::uint8_t>& rows, const ChunkTask& task) {
  HWY_DYNAMIC_DISPATCH(bytes_chunk)(rows, task);
}
void pass_chunk(const DenseRows<float>& rows, const ChunkTask& task) {
  HWY_DYNAMIC_DISPATCH(floats_chunk)(rows, task);
}
void pass_chunk(const CsrRows& rows, const ChunkTask& task) { HWY_DYNAMIC_DISPATCH(csr_chunk)(rows, task); }
LossNode line_chunk(const LineTask& task) { return HWY_DYNAMIC_DISPATCH(line_values)(task); }

}  // namespace linkgistic::kernel
#endif  // HWY_ONCE

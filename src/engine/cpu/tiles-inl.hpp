// Register tiles of the two products of the fused pass, margins = Z_b B and gradient += R_b' Z_b.
// Included once for each instruction set.
#include <type_traits>

#include <hwy/highway.h>

#include "engine/cpu/lookup-inl.hpp"

#if defined(LINKGISTIC_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LINKGISTIC_TILES_INL
#undef LINKGISTIC_TILES_INL
#else
#define LINKGISTIC_TILES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace linkgistic::kernel::HWY_NAMESPACE {
#if HWY_TARGET <= HWY_AVX3
constexpr int tile_rows = 4;  // 32 registers
#else
constexpr int tile_rows = 2;  // 16 registers
#endif
constexpr int tile_classes = 5;

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
  HWY_ALIGN float partial[std::size_t{R} * C * hn::MaxLanes(FloatTag())];
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
  HWY_ALIGN float partial[std::size_t{C} * V * hn::MaxLanes(FloatTag())];
  for (int c = 0; c < C; ++c) {
    for (int v = 0; v < V; ++v)
      hn::Store(acc[c][v], d, partial + static_cast<std::size_t>(c * V + v) * lanes);
  }
  for (std::size_t c = 0; c < C; ++c) {
    add_widened(partial + c * V * lanes, V * lanes, gradient + c * stride + column);
  }
}

// Calls f<C>(k) for tiles of at most tile_classes classes that start at class k.
template <class F>
HWY_INLINE void for_class_tiles(std::size_t classes, F&& f) {
  std::size_t k = 0;
  for (; k + tile_classes <= classes; k += tile_classes) f(std::integral_constant<int, tile_classes>(), k);
  const std::size_t left = classes - k;
  if (left == 1) f(std::integral_constant<int, 1>(), k);
  if (left == 2) f(std::integral_constant<int, 2>(), k);
  if (left == 3) f(std::integral_constant<int, 3>(), k);
  if (left == 4) f(std::integral_constant<int, 4>(), k);
}

}  // namespace linkgistic::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

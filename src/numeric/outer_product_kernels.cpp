// Tiles of the sum stay in registers while the rows go by. By hand, because Eigen's products use the vectors
// that the compiler may assume of every machine, and ours those of the machine.
#include "numeric/outer_products.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numeric/outer_product_kernels.cpp"
// clang-format off: foreach_target includes this file again, and all that follows must come after it.
#include <algorithm>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace linkgistic::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;

constexpr std::size_t columns_of_tile = 4;
constexpr std::size_t vectors_of_tile = HWY_TARGET <= HWY_AVX3 ? 4 : 2;  // of 32 or 16 registers

// Columns j .. j + 3 of the sum, `V` vectors of i from `first`.
template <std::size_t V>
void add_tile(const double* HWY_RESTRICT x, std::size_t rows, std::size_t stride, std::size_t j,
              std::size_t first, double* HWY_RESTRICT sum) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Doubles> acc[columns_of_tile][V];
  for (auto& column : acc)
    for (auto& cell : column) cell = hn::Zero(d);
  for (std::size_t n = 0; n < rows; ++n) {
    const double* row = x + n * stride;
    hn::Vec<Doubles> left[V];
    for (std::size_t v = 0; v < V; ++v) left[v] = hn::Load(d, row + first + v * lanes);
    for (std::size_t c = 0; c < columns_of_tile; ++c) {
      const auto right = hn::Set(d, row[j + c]);
      for (std::size_t v = 0; v < V; ++v) acc[c][v] = hn::MulAdd(left[v], right, acc[c][v]);
    }
  }
  for (std::size_t c = 0; c < columns_of_tile; ++c) {
    for (std::size_t v = 0; v < V; ++v) {
      double* to = sum + (j + c) * stride + first + v * lanes;
      hn::Store(hn::Add(hn::Load(d, to), acc[c][v]), d, to);
    }
  }
}

void add_products(const double* x, std::size_t rows, std::size_t stride, double* sum) {
  const std::size_t lanes = hn::Lanes(Doubles());
  for (std::size_t j = 0; j < stride; j += columns_of_tile) {
    const std::size_t end = j + columns_of_tile;  // i < end
    std::size_t i = 0;
    for (; i + vectors_of_tile * lanes <= end; i += vectors_of_tile * lanes)
      add_tile<vectors_of_tile>(x, rows, stride, j, i, sum);
    for (; i < end; i += lanes) add_tile<1>(x, rows, stride, j, i, sum);
  }
}

}  // namespace
}  // namespace linkgistic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace linkgistic {

HWY_EXPORT(add_products);

void add_outer_products(const double* x, std::size_t rows, std::size_t stride, double* sum) {
  HWY_DYNAMIC_DISPATCH(add_products)(x, rows, stride, sum);
}

}  // namespace linkgistic
#endif  // HWY_ONCE

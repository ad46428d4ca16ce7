// The trigonometric moments of Gaussian regression beside the machine's floors, one thread and all threads.
//
// A row needs, for K harmonics of f: 4K turns of exp(i j theta) (4 vector operations each), 2 multiply-adds a
// harmonic for sum w (4K of them) and for sum w x and sum w y (2K each): 16K + 16K = 32K operations, and 24
// bytes (x, y, w) of reading. Cells need some 100 operations whatever K is, so many rows take less than that
// floor; the bytes are the floor that is left.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench_moments.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <cstddef>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace floors::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// `rounds` rounds of 10 independent multiply-adds on full vectors; returns something that depends on all of
// them.
double multiply_adds(std::size_t rounds) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  // Different starts, else the compiler would make one chain of them.
  const auto start = [&](int i) { return hn::Set(d, 1.0 + 0.01 * i); };
  V a0 = start(0), a1 = start(1), a2 = start(2), a3 = start(3), a4 = start(4);
  V a5 = start(5), a6 = start(6), a7 = start(7), a8 = start(8), a9 = start(9);
  const V b = hn::Set(d, 0.999999999), c = hn::Set(d, 1e-9);
  for (std::size_t i = 0; i < rounds; ++i) {
    a0 = hn::MulAdd(a0, b, c), a1 = hn::MulAdd(a1, b, c), a2 = hn::MulAdd(a2, b, c),
    a3 = hn::MulAdd(a3, b, c);
    a4 = hn::MulAdd(a4, b, c), a5 = hn::MulAdd(a5, b, c), a6 = hn::MulAdd(a6, b, c),
    a7 = hn::MulAdd(a7, b, c);
    a8 = hn::MulAdd(a8, b, c), a9 = hn::MulAdd(a9, b, c);
  }
  const V sum = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9;
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

std::size_t lanes() { return hn::Lanes(hn::ScalableTag<double>()); }

}  // namespace floors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <vector>

#include "engine/cpu/instruction_set.hpp"
#include "numeric/exponential_kernels.hpp"
#include "numeric/parallel.hpp"
#include "source/harmonic_sums.hpp"
#include "source/integrated_harmonics.hpp"
#include "table/row_stream.hpp"

namespace floors {
HWY_EXPORT(multiply_adds);
HWY_EXPORT(lanes);

template <class Work>
double best_seconds(const Work& work) {
  double best = 1e300;
  for (int repeat = 0; repeat < 25; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

volatile double sink = 0;  // so that nothing is optimised away

void run(int threads) {
  const int n_threads = linkgistic::thread_count(threads);
  constexpr std::size_t rounds = 1000000;
  const double peak_seconds = best_seconds([&] {
    linkgistic::parallel_for(static_cast<std::size_t>(n_threads), n_threads,
                             [&](std::size_t) { sink = sink + HWY_DYNAMIC_DISPATCH(multiply_adds)(rounds); });
  });
  const double lanes = static_cast<double>(HWY_DYNAMIC_DISPATCH(floors::lanes)());
  const double peak =
      10.0 * rounds * lanes * n_threads / peak_seconds;  // operations a second, a multiply-add is one

  constexpr std::size_t doubles = 32'000'000;
  const std::vector<double> memory(doubles, 1.0);
  const double read_seconds = best_seconds([&] {
    constexpr std::size_t parts = 64;
    linkgistic::parallel_for(parts, n_threads, [&](std::size_t i) {
      const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(i * (doubles / parts));
      double sums[8] = {};
      for (std::size_t k = 0; k + 8 <= doubles / parts; k += 8) {
        for (std::size_t l = 0; l < 8; ++l) sums[l] += begin[static_cast<std::ptrdiff_t>(k + l)];
      }
      sink = sink + std::accumulate(std::begin(sums), std::end(sums), 0.0);
    });
  });
  const double bandwidth = doubles * sizeof(double) / read_seconds;
  std::printf("%d thread(s), %s: %.1f G operations/s, %.1f GB/s\n", n_threads,
              linkgistic::instruction_set().c_str(), 1e-9 * peak, 1e-9 * bandwidth);

  constexpr std::size_t rows = linkgistic::rows_per_block;  // as a fit takes them
  std::vector<double> x(rows), wy(rows), w(rows, 1.0);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = std::sin(static_cast<double>(i));
    wy[i] = std::cos(3.0 * static_cast<double>(i));
  }
  for (const int harmonics : {8, 16, 32}) {
    const linkgistic::IntegratedHarmonics features(2 * harmonics, 0.5);
    const double seconds = best_seconds([&] { sink = sink + features.sums(x, wy, w, n_threads).linear[1]; });
    const linkgistic::HarmonicRows plain{x, wy, w, 0, std::numbers::pi / 2, 2 * harmonics};
    const double by_rows =
        best_seconds([&] { sink = sink + linkgistic::harmonic_sums_by_rows(plain, n_threads).ru; });
    const double floor_compute = 32.0 * harmonics * rows / peak;
    const double floor_memory = 24.0 * rows / bandwidth;
    std::printf(
        "  K = %2d  %6.2f ns a row, row by row %6.2f   compute floor %6.2f ns (%3.0f %%)   memory floor "
        "%5.2f ns (%3.0f %%)\n",
        harmonics, 1e9 * seconds / rows, 1e9 * by_rows / rows, 1e9 * floor_compute / rows,
        100 * floor_compute / seconds, 1e9 * floor_memory / rows, 100 * floor_memory / seconds);
  }
}

}  // namespace floors

int main() {
  std::printf("moments of a block of 65,536 rows: time, and the share of it that the floors explain\n");
  floors::run(1);
  floors::run(0);
}
#endif  // HWY_ONCE

// Sums over the lanes of a warp.
#pragma once

namespace linkgistic::cuda {

/// The sums over the lanes of Count numbers, a power of two of at least 32: lane l gets those of v[l Count / 32 ..] in
/// v[0 .. Count / 32 - 1]. At each step a lane gives away the half that its neighbour keeps.
template <int Count>
__device__ inline void sum_over_lanes(float (&v)[Count]) {
  const int lane = threadIdx.x % 32;
  int kept = Count / 2;
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2, kept /= 2) {
    const bool upper = (lane & apart) != 0;
#pragma unroll
    for (int i = 0; i < Count / 2; ++i) {
      if (i >= kept) continue;
      const float given = upper ? v[i] : v[i + kept];
      const float own = upper ? v[i + kept] : v[i];
      v[i] = own + __shfl_xor_sync(~0U, given, apart);
    }
  }
}

/// The least power of two from 32 on.
constexpr int power_of_two(int least) {
  int n = 32;
  while (n < least) n *= 2;
  return n;
}

}  // namespace linkgistic::cuda

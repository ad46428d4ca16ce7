#include "engine/cuda/device/float_coefficients.cuh"

#include <algorithm>

namespace linkgistic::cuda {
namespace {

__global__ void split_kernel(const double* beta, int columns, std::size_t stride, float* single,
                                   double* intercept) {
  const int k = static_cast<int>(blockIdx.y);
  const std::size_t j = blockIdx.x * blockDim.x + threadIdx.x;
  const double* own = beta + static_cast<std::size_t>(k) * (columns + 1);
  if (j == 0) intercept[k] = own[0];
  if (j < stride) single[k * stride + j] = j < static_cast<std::size_t>(columns) ? static_cast<float>(own[j + 1]) : 0.0F;
}

constexpr int columns_of_block = 32;

// A warp adds every eighth part of 32 columns, one lane a column; then the warps' sums. The last block of a problem joins
// its six sums, a warp each, of which one is the intercept's part.
__global__ void finish_kernel(FloatSums from, std::size_t stride, int problems, int columns, double* sums, double* to) {
  constexpr int warps = block_threads / 32;
  __shared__ double of_warp[warps][columns_of_block];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int k = static_cast<int>(blockIdx.y);
  double* own = to + static_cast<std::size_t>(k) * (columns + 1);
  if (blockIdx.x + 1 == gridDim.x) {
    if (from.pass == nullptr || warp >= pass_sums) return;
    const double v = join_pass_sum(from.pass + static_cast<std::size_t>(k * pass_sums + warp) * from.blocks, from.blocks, warp);
    if (lane != 0) return;
    sums[k * pass_sums + warp] = v;
    if (warp == 1) own[0] = v;
    return;
  }
  const int j = static_cast<int>(blockIdx.x) * columns_of_block + lane;
  double sum = 0;
  if (j < columns) {
#pragma unroll 4
    for (int part = warp; part < from.parts; part += warps)
      sum += from.gradient[(static_cast<std::size_t>(part) * problems + k) * stride + j];
  }
  of_warp[warp][lane] = sum;
  __syncthreads();
  if (warp != 0 || j >= columns) return;
  for (int w = 1; w < warps; ++w) sum += of_warp[w][lane];
  own[j + 1] = sum;
}

}  // namespace

FloatCoefficients split_coefficients(const Place& place, const Rows& rows, Workspace& work, const double* beta,
                                     int problems) {
  const std::size_t stride = rows.stride();
  float* single = work.single_beta.make_room(std::max<std::size_t>(1, most_problems * stride));
  double* intercept = work.intercept.make_room(2 * most_problems);
  const dim3 grid(static_cast<unsigned>(stride / block_threads + 1), static_cast<unsigned>(problems));
  split_kernel<<<grid, block_threads, 0, place.queue>>>(beta, rows.columns(), stride, single, intercept);
  check_launch("coefficients");
  return {single, intercept};
}

void finish_pass(const Place& place, const Rows& rows, const FloatSums& from, int problems, double* sums,
                 double* gradient) {
  const dim3 grid(static_cast<unsigned>((rows.columns() + columns_of_block - 1) / columns_of_block + 1),
                  static_cast<unsigned>(problems));
  finish_kernel<<<grid, block_threads, 0, place.queue>>>(from, rows.stride(), problems, rows.columns(), sums, gradient);
  check_launch("gradient");
}

}  // namespace linkgistic::cuda

// Products of single-precision rows with coefficients and residuals. Scores: a warp takes four rows, its threads
// columns by fours, and puts its sums together by exchange. Gradient: a thread owns four columns and adds the rows of a
// block one after the other, in single precision for 256 rows, then in double. Each component of the gradient is within
// e sum_n |r_n z_nj| of the exact sum, e = 256 2^-24 = 1.6e-5 at worst and 1e-6 in practice.
#include <algorithm>

#include "engine/cuda/device/float_coefficients.cuh"
#include "engine/cuda/device/lane_sums.cuh"

namespace linkgistic::cuda {
namespace {

constexpr int warp_rows = 8;
constexpr int leaf = 256;  // rows whose products are summed in single precision

template <int Problems>
__global__ void __launch_bounds__(block_threads)
    scores_kernel(const float* rows, std::size_t stride, std::uint64_t count, const float* beta,
                  const double* intercept, float* const* to, int problems) {
  const int lane = threadIdx.x % 32;
  const std::uint64_t warp = (blockIdx.x * std::uint64_t{block_threads} + threadIdx.x) / 32;
  const std::uint64_t all = gridDim.x * std::uint64_t{block_threads} / 32;
  for (std::uint64_t first = warp * warp_rows; first < count; first += all * warp_rows) {
    constexpr int padded = power_of_two(Problems * warp_rows);
    float sum[padded] = {};
    const float* row[warp_rows];
#pragma unroll
    for (int i = 0; i < warp_rows; ++i) row[i] = rows + min(first + i, count - 1) * stride;
    for (std::size_t j = 4 * lane; j < stride; j += 128) {
      float4 x[warp_rows];
#pragma unroll
      for (int i = 0; i < warp_rows; ++i) x[i] = *reinterpret_cast<const float4*>(row[i] + j);
#pragma unroll
      for (int k = 0; k < Problems; ++k) {
        const float4 b = *reinterpret_cast<const float4*>(beta + k * stride + j);
#pragma unroll
        for (int i = 0; i < warp_rows; ++i) {
          float& s = sum[k * warp_rows + i];
          s = fmaf(x[i].x, b.x, fmaf(x[i].y, b.y, fmaf(x[i].z, b.z, fmaf(x[i].w, b.w, s))));
        }
      }
    }
    sum_over_lanes(sum);
#pragma unroll
    for (int i = 0; i < padded / 32; ++i) {
      const int at = lane * (padded / 32) + i;
      const int k = at / warp_rows;
      const std::uint64_t n = first + at % warp_rows;
      if (k < problems && n < count) to[k][n] = static_cast<float>(static_cast<double>(sum[i]) + intercept[k]);
    }
  }
}

template <int Problems>
__global__ void __launch_bounds__(block_threads)
    gradient_kernel(const float* rows, std::size_t stride, std::uint64_t count, std::uint64_t rows_of_block,
                    const float* residual, int problems, double* partial) {
  constexpr int padded = (Problems + 3) / 4 * 4;
  __shared__ __align__(16) float r[leaf * padded];
  const std::size_t j = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  // The last rows first: the scores' kernel has left them in the cache.
  const std::uint64_t begin = (gridDim.y - 1 - blockIdx.y) * rows_of_block, end = min(begin + rows_of_block, count);
  double* own = partial + static_cast<std::size_t>(gridDim.y - 1 - blockIdx.y) * problems * stride;
  for (std::uint64_t first = begin; first < end; first += leaf) {
    const int some = static_cast<int>(min(std::uint64_t{leaf}, end - first));
    __syncthreads();
    for (int i = threadIdx.x; i < some * padded; i += blockDim.x) {
      const int k = i / some, n = i % some;
      r[n * padded + k] = k < problems ? residual[k * count + first + n] : 0.0F;
    }
    __syncthreads();
    if (j >= stride) continue;
    float4 sum[Problems] = {};
    const float* x = rows + first * stride + j;
#pragma unroll 4
    for (int n = 0; n < some; ++n, x += stride) {
      const float4 v = *reinterpret_cast<const float4*>(x);
      float of_row[padded];
#pragma unroll
      for (int k = 0; k < padded; k += 4) *reinterpret_cast<float4*>(of_row + k) = *reinterpret_cast<const float4*>(r + n * padded + k);
#pragma unroll
      for (int k = 0; k < Problems; ++k) {
        const float w = of_row[k];
        sum[k].x = fmaf(w, v.x, sum[k].x);
        sum[k].y = fmaf(w, v.y, sum[k].y);
        sum[k].z = fmaf(w, v.z, sum[k].z);
        sum[k].w = fmaf(w, v.w, sum[k].w);
      }
    }
#pragma unroll
    for (int k = 0; k < Problems; ++k) {
      if (k >= problems) continue;
      double2* to = reinterpret_cast<double2*>(own + k * stride + j);
      const bool begins = first == begin;
      const double2 low = begins ? double2{0, 0} : to[0], high = begins ? double2{0, 0} : to[1];
      to[0] = {low.x + static_cast<double>(sum[k].x), low.y + static_cast<double>(sum[k].y)};
      to[1] = {high.x + static_cast<double>(sum[k].z), high.y + static_cast<double>(sum[k].w)};
    }
  }
}

}  // namespace

void float_scores(const Place& place, const Rows& rows, Workspace& work, int problems, float* const* to) {
  const std::size_t stride = rows.stride();
  for (int first = 0; first < problems; first += most_problems) {
    const int count = std::min(most_problems, problems - first);
    const FloatCoefficients coefficients = split_coefficients(
        place, rows, work, work.beta.data() + static_cast<std::size_t>(first) * (rows.columns() + 1), count);
    by_problems(count, [&](auto padded) {
      const std::uint64_t wanted = (rows.count() + warp_rows * 8 - 1) / (warp_rows * 8);
      const auto blocks =
          static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, std::uint64_t(8 * place.processors)));
      scores_kernel<padded()><<<blocks, block_threads, 0, place.queue>>>(rows.floats(), stride, rows.count(), coefficients.beta, coefficients.intercept, to + first,
                                                                        count);
    });
    check_launch("scores");
  }
}

void float_gradient(const Place& place, const Rows& rows, Workspace& work, int problems, const float* residual,
                    double* gradient) {
  const std::size_t stride = rows.stride();
  if (stride == 0) return;
  const auto threads = static_cast<unsigned>(std::min<std::size_t>(block_threads, (stride / 4 + 31) / 32 * 32));
  const auto slabs = static_cast<unsigned>((stride / 4 + threads - 1) / threads);
  // Two blocks a multiprocessor, with as many rows each.
  const std::uint64_t most = std::max<std::uint64_t>(1, std::uint64_t(2 * place.processors) / slabs);
  const std::uint64_t rows_of_block = std::max<std::uint64_t>(16, (rows.count() + most - 1) / most);
  const auto blocks = static_cast<unsigned>((rows.count() + rows_of_block - 1) / rows_of_block);
  for (int first = 0; first < problems; first += most_problems) {
    const int count = std::min(most_problems, problems - first);
    double* partial = work.join.make_room(static_cast<std::size_t>(blocks) * count * stride);
    by_problems(count, [&](auto padded) {
      gradient_kernel<padded()><<<dim3(slabs, blocks), threads, 0, place.queue>>>(
          rows.floats(), stride, rows.count(), rows_of_block, residual + static_cast<std::size_t>(first) * rows.count(),
          count, partial);
    });
    check_launch("gradient");
    finish_pass(place, rows, {partial, static_cast<int>(blocks), nullptr, 0}, count, nullptr,
                gradient + static_cast<std::size_t>(first) * (rows.columns() + 1));
  }
}

}  // namespace linkgistic::cuda

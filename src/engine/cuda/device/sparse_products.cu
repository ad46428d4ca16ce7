// Products of sparse rows: scores by rows, the gradient by columns, in double precision. A warp takes a row, or a
// segment of a column's entries; segments are then added in their order.
#include <algorithm>

#include "engine/cuda/device/products.cuh"

namespace linkgistic::cuda {
namespace {

constexpr int most_problems = 8;

struct SparseScores {
  const std::int64_t* row_start;
  const std::int32_t* column;
  const float* value;
  std::uint64_t rows;
  const double* beta;  // (problems, columns + 1)
  std::size_t width;
  int problems;
  float* const* to;
};

__device__ inline double over_lanes(double v) {
  for (int apart = 16; apart > 0; apart /= 2) v += __shfl_xor_sync(~0U, v, apart);
  return v;
}

__global__ void scores_kernel(const __grid_constant__ SparseScores a) {
  const int lane = threadIdx.x % 32;
  const std::uint64_t all = gridDim.x * std::uint64_t{block_threads} / 32;
  for (std::uint64_t n = (blockIdx.x * std::uint64_t{block_threads} + threadIdx.x) / 32; n < a.rows; n += all) {
    double sum[most_problems] = {};
    for (std::int64_t e = a.row_start[n] + lane; e < a.row_start[n + 1]; e += 32) {
      const double x = static_cast<double>(a.value[e]);
      const double* b = a.beta + a.column[e] + 1;
#pragma unroll
      for (int k = 0; k < most_problems; ++k)
        if (k < a.problems) sum[k] = fma(x, b[k * a.width], sum[k]);
    }
#pragma unroll
    for (int k = 0; k < most_problems; ++k) {
      if (k >= a.problems) continue;
      const double total = over_lanes(sum[k]) + a.beta[k * a.width];
      if (lane == k) a.to[k][n] = static_cast<float>(total);
    }
  }
}

struct SparseGradient {
  const Segment* segments;
  std::size_t segment_count;
  const std::int32_t* row;
  const float* value;
  const float* residual;  // (problems, rows)
  std::uint64_t rows;
  int problems;
  double* partial;  // (segments, problems)
};

__global__ void segments_kernel(const __grid_constant__ SparseGradient a) {
  const int lane = threadIdx.x % 32;
  const std::size_t s = (blockIdx.x * std::size_t{block_threads} + threadIdx.x) / 32;
  if (s >= a.segment_count) return;
  const Segment segment = a.segments[s];
  double sum[most_problems] = {};
  for (int i = lane; i < segment.entries; i += 32) {
    const double x = static_cast<double>(a.value[segment.first + i]);
    const float* r = a.residual + a.row[segment.first + i];
#pragma unroll
    for (int k = 0; k < most_problems; ++k)
      if (k < a.problems) sum[k] = fma(x, static_cast<double>(r[k * a.rows]), sum[k]);
  }
#pragma unroll
  for (int k = 0; k < most_problems; ++k) {
    if (k >= a.problems) continue;
    const double total = over_lanes(sum[k]);
    if (lane == k) a.partial[s * a.problems + k] = total;
  }
}

__global__ void join_segments(const double* partial, const std::int32_t* first_segment, int columns, int problems,
                              double* to) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int k = static_cast<int>(blockIdx.y);
  if (j >= columns) return;
  double sum = 0;
  for (int s = first_segment[j]; s < first_segment[j + 1]; ++s) sum += partial[static_cast<std::size_t>(s) * problems + k];
  to[static_cast<std::size_t>(k) * (columns + 1) + j + 1] = sum;
}

}  // namespace

void sparse_scores(const Place& place, const Rows& rows, Workspace& work, int problems, float* const* to) {
  const std::size_t width = static_cast<std::size_t>(rows.columns()) + 1;
  const std::uint64_t wanted = (rows.count() + 7) / 8;
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, std::uint64_t(16 * place.processors)));
  for (int first = 0; first < problems; first += most_problems) {
    const SparseScores a{rows.row_start(), rows.column(), rows.value(), rows.count(),
                         work.beta.data() + first * width, width, std::min(most_problems, problems - first),
                         to + first};
    scores_kernel<<<blocks, block_threads, 0, place.queue>>>(a);
    check_launch("scores");
  }
}

void sparse_gradient(const Place& place, const Rows& rows, Workspace& work, int problems, const float* residual,
                     double* gradient) {
  const std::size_t width = static_cast<std::size_t>(rows.columns()) + 1;
  const auto blocks = static_cast<unsigned>((rows.segment_count() * 32 + block_threads - 1) / block_threads);
  for (int first = 0; first < problems; first += most_problems) {
    const int count = std::min(most_problems, problems - first);
    double* partial = work.join.make_room(std::max<std::size_t>(1, rows.segment_count() * static_cast<std::size_t>(count)));
    if (blocks > 0) {
      const SparseGradient a{rows.segments(), rows.segment_count(), rows.row_of_entry(), rows.value_by_column(),
                             residual + static_cast<std::size_t>(first) * rows.count(), rows.count(), count, partial};
      segments_kernel<<<blocks, block_threads, 0, place.queue>>>(a);
    }
    const dim3 grid(static_cast<unsigned>((rows.columns() + block_threads - 1) / block_threads),
                    static_cast<unsigned>(count));
    join_segments<<<grid, block_threads, 0, place.queue>>>(partial, rows.first_segment(), rows.columns(), count,
                                                           gradient + first * width);
    check_launch("gradient");
  }
}

}  // namespace linkgistic::cuda

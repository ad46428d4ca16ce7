// A pass over single-precision rows in one read. A block takes a tile of rows into shared memory, twice buffered.
// Scores: a lane has a row, a warp every 16th quadruple of columns; the warps' parts meet in shared memory. Losses and
// residuals: eight threads a row. Gradient: a group of warps owns the columns, four a thread, and goes through every
// `groups`-th row of the tile; its sums stay in registers until it has added 256 rows, or about that many, and then go to
// sums in double precision. The errors are those of float_products.cu.
#include <algorithm>

#include "engine/cuda/device/async_copy.cuh"
#include "engine/cuda/device/float_coefficients.cuh"
#include "engine/cuda/device/row_pass.cuh"

namespace linkgistic::cuda {
namespace {

constexpr int threads = 512;
constexpr int warps = threads / 32;
constexpr int most_rows = 32;  // of a tile: a lane each
constexpr int least_rows = 8;
constexpr int leaf = 256;  // rows that a group adds in single precision
constexpr std::size_t most_shared = 224 << 10;

struct FloatPass {
  const float* rows;
  int stride;       // columns, a multiple of 4
  int near_stride;  // from row to row in shared memory: 4 times an odd number, so that eight lanes read all banks
  int tile_rows;
  int group_warps, groups;
  RowFacts facts;
  Scores scores;  // of this launch
  const float* beta;
  const double* intercept;
  float* to[most_problems];
  double* sums;     // (problems, 6, blocks)
  double* partial;  // (blocks, groups, problems, stride)
};

// Residuals of a row in shared memory: whole float4.
template <int Problems>
constexpr int padded = (Problems + 3) / 4 * 4;

constexpr int part_stride = most_rows + 1;
int near_stride_of(int stride) { return stride / 4 % 2 == 0 ? stride + 4 : stride; }

template <int Problems>
std::size_t shared_bytes(int stride, int tile_rows) {
  const std::size_t floats = std::size_t{2} * tile_rows * near_stride_of(stride) + std::size_t{Problems} * stride +
                             std::size_t{most_rows} * padded<Problems> + std::size_t{warps} * Problems * part_stride;
  return std::max(floats * sizeof(float), sizeof(double) * RowPass<Problems, threads>::shared_sums);
}

template <int Problems>
class Block {
 public:
  __device__ Block(const FloatPass& a, float* memory) : a_(a), shared_(memory), pass_(a.scores, a.facts) {
    stages_ = memory;
    beta_ = stages_ + 2 * a.tile_rows * a.near_stride;
    residual_ = beta_ + Problems * a.stride;
    part_ = residual_ + most_rows * padded<Problems>;
    for (int i = threadIdx.x; i < Problems * a.stride; i += threads)
      beta_[i] = i < a.scores.count * a.stride ? a.beta[i] : 0.0F;
    for (int i = threadIdx.x; i < most_rows * padded<Problems>; i += threads) residual_[i] = 0;
    const int warp = threadIdx.x / 32;
    group_ = warp / a.group_warps;
    column_ = 4 * (warp % a.group_warps * 32 + static_cast<int>(threadIdx.x % 32));
  }

  __device__ void run() {
    const std::uint64_t tiles = (a_.facts.rows + a_.tile_rows - 1) / a_.tile_rows;
    if (blockIdx.x < tiles) load(0, blockIdx.x);
    int stage = 0, since_flush = 0;
    for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x, stage ^= 1) {
      if (tile + gridDim.x < tiles) {
        load(stage ^ 1, tile + gridDim.x);
        wait_copies<1>();
      } else {
        wait_copies<0>();
      }
      __syncthreads();
      const float* rows = stages_ + stage * a_.tile_rows * a_.near_stride;
      const int count = static_cast<int>(min(static_cast<std::uint64_t>(a_.tile_rows), a_.facts.rows - tile * a_.tile_rows));
      if (threadIdx.x < count) pass_.expect(tile * a_.tile_rows + threadIdx.x);
      add_scores(rows, count);
      __syncthreads();
      take_rows(tile, count);
      __syncthreads();
      if (group_ < a_.groups && column_ < a_.stride) {
        add_gradient(rows, count);
        since_flush += (a_.tile_rows + a_.groups - 1) / a_.groups;
        if (since_flush >= leaf) {
          flush();
          since_flush = 0;
        }
      }
      __syncthreads();
    }
    if (group_ < a_.groups && column_ < a_.stride) flush();
    pass_.write_sums(reinterpret_cast<double*>(shared_), a_.sums);
  }

 private:
  __device__ void load(int stage, std::uint64_t tile) {
    const std::uint64_t first = tile * a_.tile_rows;
    const int pieces = a_.stride / 4;
    for (int i = threadIdx.x / 32; i < a_.tile_rows && first + i < a_.facts.rows; i += warps) {
      const float* from = a_.rows + (first + i) * a_.stride;
      float* to = stages_ + (stage * a_.tile_rows + i) * a_.near_stride;
      for (int c = threadIdx.x % 32; c < pieces; c += 32) copy_16(to + 4 * c, from + 4 * c);
    }
    close_copies();
  }

  // The warp's part of the scores to part_ (warps, problems, rows).
  __device__ void add_scores(const float* rows, int count) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float* row = rows + min(lane, count - 1) * a_.near_stride;
    float sum[Problems] = {};
#pragma unroll 2
    for (int j = 4 * warp; j < a_.stride; j += 4 * warps) {
      const float4 x = *reinterpret_cast<const float4*>(row + j);
#pragma unroll
      for (int k = 0; k < Problems; ++k) {
        const float4 b = *reinterpret_cast<const float4*>(beta_ + k * a_.stride + j);
        sum[k] = fmaf(x.x, b.x, fmaf(x.y, b.y, fmaf(x.z, b.z, fmaf(x.w, b.w, sum[k]))));
      }
    }
#pragma unroll
    for (int k = 0; k < Problems; ++k) part_[(warp * Problems + k) * part_stride + lane] = sum[k];
  }

  // Eight threads a row.
  __device__ void take_rows(std::uint64_t tile, int count) {
    const int i = threadIdx.x / 8, own = threadIdx.x % 8;
    const std::uint64_t n = tile * a_.tile_rows + i;
    const bool live = i < count;
    float score[RowPass<Problems, threads>::slots];
#pragma unroll
    for (int slot = 0; slot < RowPass<Problems, threads>::slots; ++slot) {
      const int k = own + 8 * slot;
      score[slot] = 0;
      if (!live || k >= a_.scores.count) continue;
      double sum = a_.intercept[k];
#pragma unroll
      for (int w = 0; w < warps; ++w) sum += static_cast<double>(part_[(w * Problems + k) * part_stride + i]);
      score[slot] = static_cast<float>(sum);
      a_.to[k][n] = score[slot];
    }
    pass_.take(n, live, score, [&](int k, float r) {
      if (i < most_rows) residual_[i * padded<Problems> + k] = r;
    });
  }

  __device__ void add_gradient(const float* rows, int count) {
#pragma unroll 2
    for (int i = group_; i < count; i += a_.groups) {
      const float4 x = *reinterpret_cast<const float4*>(rows + i * a_.near_stride + column_);
      float r[padded<Problems>];
#pragma unroll
      for (int k = 0; k < padded<Problems>; k += 4)
        *reinterpret_cast<float4*>(r + k) = *reinterpret_cast<const float4*>(residual_ + i * padded<Problems> + k);
#pragma unroll
      for (int k = 0; k < Problems; ++k) {
        total_[k].x = fmaf(r[k], x.x, total_[k].x);
        total_[k].y = fmaf(r[k], x.y, total_[k].y);
        total_[k].z = fmaf(r[k], x.z, total_[k].z);
        total_[k].w = fmaf(r[k], x.w, total_[k].w);
      }
    }
  }

  __device__ void flush() {
    double* own = a_.partial + static_cast<std::size_t>(blockIdx.x * a_.groups + group_) * a_.scores.count * a_.stride + column_;
#pragma unroll
    for (int k = 0; k < Problems; ++k) {
      if (k >= a_.scores.count) continue;
      double2* to = reinterpret_cast<double2*>(own + static_cast<std::size_t>(k) * a_.stride);
      const double2 low = flushed_ ? to[0] : double2{0, 0}, high = flushed_ ? to[1] : double2{0, 0};
      to[0] = {low.x + static_cast<double>(total_[k].x), low.y + static_cast<double>(total_[k].y)};
      to[1] = {high.x + static_cast<double>(total_[k].z), high.y + static_cast<double>(total_[k].w)};
      total_[k] = {0, 0, 0, 0};
    }
    flushed_ = true;
  }

  const FloatPass& a_;
  float* shared_;
  float *stages_, *beta_, *residual_, *part_;
  int group_, column_;
  bool flushed_ = false;
  float4 total_[Problems] = {};
  RowPass<Problems, threads> pass_;
};

template <int Problems>
__global__ void __launch_bounds__(threads, 1) float_pass_kernel(const __grid_constant__ FloatPass a) {
  extern __shared__ __align__(16) float memory_of_floats[];
  Block<Problems>(a, memory_of_floats).run();
}

int group_warps_of(const Rows& rows) { return static_cast<int>((rows.stride() / 4 + 31) / 32); }

// Rows of a tile: as many as fit, and as their threads are.
template <int Problems>
int tile_rows_of(const Rows& rows) {
  int count = most_rows;
  while (count > 0 && shared_bytes<Problems>(static_cast<int>(rows.stride()), count) > most_shared) --count;
  return count;
}

}  // namespace

bool float_pass_takes(const Rows& rows, const Scores& scores) {
  return rows.stride() > 0 && group_warps_of(rows) <= warps && scores.coupled <= most_problems &&
         tile_rows_of<most_problems>(rows) >= least_rows;
}

void float_pass(const Place& place, const Rows& rows, Workspace& work, const Scores& scores, float* const* to,
                const double* beta, double* sums, double* gradient) {
  const int at_once = scores.coupled > 1 ? scores.coupled : most_problems;
  const std::size_t width = static_cast<std::size_t>(rows.columns()) + 1;
  for (int first = 0; first < scores.count; first += at_once) {
    const int count = std::min(at_once, scores.count - first);
    FloatPass a{};
    a.rows = rows.floats();
    a.stride = static_cast<int>(rows.stride());
    a.near_stride = near_stride_of(a.stride);
    a.group_warps = group_warps_of(rows);
    a.groups = warps / a.group_warps;
    a.facts = rows.facts();
    a.scores = scores;
    a.scores.problems = scores.problems + first;
    a.scores.count = count;
    const FloatCoefficients coefficients = split_coefficients(place, rows, work, beta + first * width, count);
    a.beta = coefficients.beta;
    a.intercept = coefficients.intercept;
    std::copy_n(to + first, count, a.to);
    a.sums = work.partial.make_room(static_cast<std::size_t>(most_problems * pass_sums * place.processors));
    by_problems(count, [&](auto problems) {
      a.tile_rows = tile_rows_of<problems()>(rows);
      const std::uint64_t tiles = (rows.count() + a.tile_rows - 1) / a.tile_rows;
      const int blocks = static_cast<int>(std::min<std::uint64_t>(tiles, static_cast<std::uint64_t>(place.processors)));
      a.partial = work.join.make_room(static_cast<std::size_t>(blocks * a.groups * count) * rows.stride());
      const std::size_t bytes = shared_bytes<problems()>(a.stride, a.tile_rows);
      const auto kernel = float_pass_kernel<problems()>;
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
            "shared memory");
      kernel<<<static_cast<unsigned>(blocks), threads, bytes, place.queue>>>(a);
      check_launch("a pass");
      finish_pass(place, rows, {a.partial, blocks * a.groups, a.sums, blocks}, count, sums + first * pass_sums,
                  gradient + first * width);
    });
  }
}

}  // namespace linkgistic::cuda

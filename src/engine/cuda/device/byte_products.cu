// Products of byte rows with coefficients and residuals, in whole numbers. A coefficient is a whole number of units
// 2^-s, s such that the greatest of its problem has 30 bits, and has four digits in base 256, each a signed byte. The
// tensor cores multiply bytes with digits and add without rounding. So the scores have no other error than that of the
// rounded coefficients, and sums over rows are the same in any order:
//   scores    |error| <= 2^-31 max_j |beta_j| sum_j z_j   (and the rounding of the result to single precision)
//   gradient  |error| <= sum_n z_nj (2^-31 R + 2^-24 |r_n|),  R the bound of |r| that the tables and weights give.
//
// A block of threads takes 64 rows at a time into shared memory, twice buffered. With both products they are read
// once. Rows that are wider than a slab of columns are read slab by slab, once for each product.
#include <algorithm>
#include <type_traits>

#include "engine/cuda/device/async_copy.cuh"
#include "engine/cuda/device/row_pass.cuh"

namespace linkgistic::cuda {
namespace {

constexpr int tile_rows = 64;
constexpr int threads = 512;
constexpr int warps = threads / 32;
constexpr int slab = 1024;                              // columns
constexpr int column_tiles = slab / 16 / warps;         // of 16 columns, a warp's
constexpr int splits = warps / (tile_rows / 16);        // of the columns among warps, for scores
constexpr int most_groups = 5;                          // of two problems: eight digits
constexpr int tiles_before_overflow = (1 << 16) / tile_rows - 1;  // 2^31 / (255 * 128) rows

struct ByteProducts {
  const std::uint8_t* rows;
  std::size_t stride;
  int columns, slabs;
  RowFacts facts;
  Scores scores;                     // of this launch
  const uint2* fragments;            // (slabs, steps of 32 columns, groups, 32)
  bool narrow;                       // rows are few enough that a sum of four digits fits one word
  const double *unscale, *intercept;  // (problems)
  float* to[2 * most_groups];
  const std::int32_t* residual;      // (problems, rows), where there are no scores
  const float* residual_scale;       // (problems): units of a residual of 1
  double* sums;                      // (problems, 6, blocks)
  unsigned long long* gradient;      // (problems, 2, columns): of the low and of the high two digits; narrow: of all
};

__host__ __device__ inline int slab_columns(int columns, int which) {
  const int left = columns - which * slab;
  return left < slab ? left : slab;
}
// Steps of 32 columns.
__host__ __device__ inline int slab_steps(int columns, int which) { return (slab_columns(columns, which) + 31) / 32; }
// From row to row in shared memory: 16 times an odd number, so that eight rows lie in eight groups of banks.
__host__ __device__ inline int tile_stride(int columns) {
  return (columns < slab ? (columns + 31) / 32 * 32 : slab) + 16;
}

__device__ inline void load_matrices(unsigned (&m)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(shared_address(row)));
}
__device__ inline void load_transposed(unsigned (&m)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(shared_address(row)));
}
// sum (16, 8) += bytes (16, 32) digits (32, 8).
__device__ inline void multiply_add(int (&sum)[4], const unsigned (&bytes)[4], uint2 digits) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
      : "r"(bytes[0]), "r"(bytes[1]), "r"(bytes[2]), "r"(bytes[3]), "r"(digits.x), "r"(digits.y));
}

// The four digits of a whole number of at most 2^30 in size, the lowest in the lowest byte.
__device__ inline unsigned digits_of(int q) {
  return (static_cast<unsigned>(q) + 0x808080U) ^ 0x808080U;
}

// Of whole scores, and later of the sums of all warps.
template <int Groups>
constexpr int part_bytes =
    8 * std::max(splits * tile_rows * 2 * Groups, RowPass<2 * Groups, threads>::shared_sums);

template <int Groups, bool WithScores, bool WithGradient>
class Block {
 public:
  __device__ Block(const ByteProducts& a, unsigned char* memory) : a_(a), pass_(a.scores, a.facts) {
    stride_ = tile_stride(a.columns);
    stages_ = memory;
    memory += 2 * tile_rows * stride_;
    if (WithScores) {
      part_ = reinterpret_cast<long long*>(memory);
      memory += part_bytes<Groups>;
    }
    if (WithGradient) {
      digits_ = memory;
      memory += 2 * Groups * 256;
      for (int i = threadIdx.x; i < 2 * Groups * 64; i += threads) reinterpret_cast<int*>(digits_)[i] = 0;
    }
    fragments_ = a.fragments;
    if (WithScores && a.slabs == 1) {
      uint2* copy = reinterpret_cast<uint2*>(memory);
      for (int i = threadIdx.x; i < slab_steps(a.columns, 0) * Groups * 32; i += threads) copy[i] = a.fragments[i];
      fragments_ = copy;
    }
  }

  __device__ void run() {
    const std::uint64_t tiles = (a_.facts.rows + tile_rows - 1) / tile_rows;
    const int slabs = WithGradient ? 1 : a_.slabs;
    const int first_slab = WithGradient && !WithScores ? static_cast<int>(blockIdx.y) : 0;
    const std::uint64_t mine = tiles > blockIdx.x ? (tiles - blockIdx.x + gridDim.x - 1) / gridDim.x : 0;
    const std::uint64_t steps = mine * slabs;
    const auto tile_of = [&](std::uint64_t step) { return blockIdx.x + step / slabs * gridDim.x; };
    if (steps > 0) load(0, tile_of(0), first_slab);
    int since_flush = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      const int which = first_slab + static_cast<int>(step % slabs);
      if (step + 1 < steps) {
        load(static_cast<int>((step + 1) % 2), tile_of(step + 1),
             first_slab + static_cast<int>((step + 1) % slabs));
        wait_copies<1>();
      } else {
        wait_copies<0>();
      }
      __syncthreads();
      const unsigned char* tile = stage(static_cast<int>(step % 2));
      if constexpr (WithScores && WithGradient) {
        const std::uint64_t n = tile_of(step) * tile_rows + threadIdx.x;
        if (threadIdx.x < tile_rows && n < a_.facts.rows) pass_.expect(n);
      }
      if (WithScores) {
        add_scores(tile, which, step % slabs == 0);
        __syncthreads();
      }
      if (!WithScores || step % slabs == slabs - 1) {
        take_rows(tile_of(step));
        if (WithGradient) {
          __syncthreads();
          add_gradient(tile, which);
          if (++since_flush == tiles_before_overflow) {
            flush(which);
            since_flush = 0;
          }
        }
      }
      __syncthreads();
    }
    if (WithGradient) flush(first_slab);
    if constexpr (WithScores && WithGradient) pass_.write_sums(reinterpret_cast<double*>(part_), a_.sums);
  }

 private:
  static constexpr int problems = 2 * Groups;
  static constexpr int slots = (problems + 7) / 8;  // problems of one thread, eight threads a row

  __device__ unsigned char* stage(int which) const { return stages_ + which * tile_rows * stride_; }

  __device__ void load(int which_stage, std::uint64_t tile, int which) {
    const int pieces = (slab_columns(a_.columns, which) + 15) / 16;
    const std::uint64_t first = tile * tile_rows;
    for (int i = threadIdx.x / 32; i < tile_rows && first + i < a_.facts.rows; i += warps) {
      const std::uint8_t* from = a_.rows + (first + i) * a_.stride + static_cast<std::size_t>(which) * slab;
      for (int c = threadIdx.x % 32; c < pieces; c += 32) copy_16(stage(which_stage) + i * stride_ + 16 * c, from + 16 * c);
    }
    close_copies();
  }

  // The products of 16 rows with the digits of a share of the columns, put together to whole scores.
  __device__ void add_scores(const unsigned char* tile, int which, bool first) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int rows = warp % (tile_rows / 16) * 16, split = warp / (tile_rows / 16);
    const int steps = slab_steps(a_.columns, which);
    int sum[Groups][4] = {};
    const unsigned char* row = tile + (rows + lane % 16) * stride_ + lane / 16 * 16;
    const uint2* fragment = fragments_ + static_cast<std::size_t>(a_.slabs == 1 ? 0 : which) * (slab / 32) * Groups * 32;
    for (int s = steps * split / splits; s < steps * (split + 1) / splits; ++s) {
      unsigned bytes[4];
      load_matrices(bytes, row + 32 * s);
#pragma unroll
      for (int g = 0; g < Groups; ++g) multiply_add(sum[g], bytes, fragment[(s * Groups + g) * 32 + lane]);
    }
#pragma unroll
    for (int g = 0; g < Groups; ++g) {
      // A thread has two neighbouring digits of two rows; its neighbour has the other two.
      const long long here = sum[g][0] + 256LL * sum[g][1];
      const long long below = sum[g][2] + 256LL * sum[g][3];
      const bool low = lane % 2 == 0;
      const long long other = __shfl_xor_sync(~0U, low ? below : here, 1);
      const long long whole = low ? here + 65536 * other : other + 65536 * below;
      const int i = rows + lane / 4 + (low ? 0 : 8);
      long long& to = part_[(split * tile_rows + i) * problems + 2 * g + lane % 4 / 2];
      to = first ? whole : to + whole;
    }
  }

  // Eight threads a row: scores, losses, residuals and their digits.
  __device__ void take_rows(std::uint64_t tile) {
    const int i = threadIdx.x / 8, own = threadIdx.x % 8;
    const std::uint64_t n = tile * tile_rows + i;
    const bool live = n < a_.facts.rows;
    float score[slots];
    if (WithScores) {
#pragma unroll
      for (int slot = 0; slot < slots; ++slot) {
        const int k = own + 8 * slot;
        score[slot] = 0;
        if (k >= a_.scores.count) continue;
        long long whole = 0;
        for (int s = 0; s < splits; ++s) whole += part_[(s * tile_rows + i) * problems + k];
        score[slot] = static_cast<float>(static_cast<double>(whole) * a_.unscale[k] + a_.intercept[k]);
        if (live) a_.to[k][n] = score[slot];
      }
      if (!WithGradient) return;
      if constexpr (WithScores && WithGradient)
        pass_.take(n, live, score, [&](int k, float r) { put_digits(i, k, whole_residual(k, r)); });
    } else {
#pragma unroll
      for (int slot = 0; slot < slots; ++slot) {
        const int k = own + 8 * slot;
        if (k < a_.scores.count) put_digits(i, k, live ? a_.residual[k * a_.facts.rows + n] : 0);
      }
    }
  }

  __device__ int whole_residual(int k, float r) const { return __float2int_rn(r * a_.residual_scale[k]); }

  // A transposed matrix gives a thread rows 2t, 2t + 1 of one half and those of the other: bytes 0 to 3 of its digits.
  __device__ void put_digits(int i, int k, int q) {
    const unsigned d = digits_of(q);
    const int t = i % 8 / 2;
    unsigned char* to = digits_ + (((i / 32) * Groups + k / 2) * 32 + k % 2 * 16 + t) * 8 + i % 32 / 16 * 4 +
                        i % 16 / 8 * 2 + i % 2;
#pragma unroll
    for (int digit = 0; digit < 4; ++digit) to[digit * 32] = static_cast<unsigned char>(d >> (8 * digit));
  }

  __device__ void add_gradient(const unsigned char* tile, int which) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int columns = slab_columns(a_.columns, which);
    for (int step = 0; step < tile_rows / 32; ++step) {
      uint2 digits[Groups];
#pragma unroll
      for (int g = 0; g < Groups; ++g)
        digits[g] = reinterpret_cast<const uint2*>(digits_)[(step * Groups + g) * 32 + lane];
      const unsigned char* row = tile + (32 * step + lane) * stride_;
#pragma unroll
      for (int c = 0; c < column_tiles; ++c) {
        const int first = (warp + c * warps) * 16;
        if (first >= columns) break;
        unsigned m[4];
        load_transposed(m, row + first);
        // Of two columns, two rows of each half: even columns of the tile come first.
        const unsigned bytes[4] = {__byte_perm(m[0], m[1], 0x6420), __byte_perm(m[0], m[1], 0x7531),
                                   __byte_perm(m[2], m[3], 0x6420), __byte_perm(m[2], m[3], 0x7531)};
#pragma unroll
        for (int g = 0; g < Groups; ++g) multiply_add(total_[c][g], bytes, digits[g]);
      }
    }
  }

  __device__ void flush(int which) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int columns = slab_columns(a_.columns, which);
#pragma unroll
    for (int c = 0; c < column_tiles; ++c) {
      const int first = (warp + c * warps) * 16 + lane / 4 * 2;
#pragma unroll
      for (int g = 0; g < Groups; ++g) {
        const int k = 2 * g + lane % 4 / 2;
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
          const long long whole = total_[c][g][2 * odd] + 256LL * total_[c][g][2 * odd + 1];
          total_[c][g][2 * odd] = 0;
          total_[c][g][2 * odd + 1] = 0;
          if (a_.narrow) {
            const long long other = __shfl_xor_sync(~0U, whole, 1);
            if (lane % 2 != 0 || first + odd >= columns || k >= a_.scores.count) continue;
            atomicAdd(a_.gradient + static_cast<std::size_t>(2 * k) * a_.columns + which * slab + first + odd,
                      static_cast<unsigned long long>(whole + 65536 * other));
            continue;
          }
          if (first + odd >= columns || k >= a_.scores.count || whole == 0) continue;
          atomicAdd(a_.gradient + (static_cast<std::size_t>(2 * k + lane % 2) * a_.columns) + which * slab + first + odd,
                    static_cast<unsigned long long>(whole));
        }
      }
    }
  }

  const ByteProducts& a_;
  int stride_;
  unsigned char* stages_;             // two tiles of rows
  long long* part_ = nullptr;        // (splits, tile_rows, problems)
  unsigned char* digits_ = nullptr;  // of residuals: (2 steps of 32 rows, groups, 32, 8 bytes)
  const uint2* fragments_;
  int total_[WithGradient ? column_tiles : 1][Groups][4] = {};
  struct NoPass {
    __device__ NoPass(const Scores&, const RowFacts&) {}
  };
  std::conditional_t<WithScores && WithGradient, RowPass<problems, threads>, NoPass> pass_;
};

template <int Groups, bool WithScores, bool WithGradient>
__global__ void __launch_bounds__(threads, 1) byte_products(const __grid_constant__ ByteProducts a) {
  extern __shared__ __align__(16) unsigned char memory[];
  Block<Groups, WithScores, WithGradient>(a, memory).run();
}

template <int Groups, bool WithScores, bool WithGradient>
std::size_t shared_bytes(const ByteProducts& a) {
  std::size_t bytes = std::size_t{2} * tile_rows * static_cast<std::size_t>(tile_stride(a.columns));
  if (WithScores) bytes += part_bytes<Groups>;
  if (WithGradient) bytes += std::size_t{2} * Groups * 256;
  if (WithScores && a.slabs == 1) bytes += std::size_t{256} * Groups * static_cast<std::size_t>(slab_steps(a.columns, 0));
  return bytes;
}

template <int Groups, bool WithScores, bool WithGradient>
void launch(const Place& place, const ByteProducts& a, int blocks) {
  const std::size_t bytes = shared_bytes<Groups, WithScores, WithGradient>(a);
  const auto kernel = byte_products<Groups, WithScores, WithGradient>;
  // Also that of other devices and threads: it is as large for them.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "shared memory");
  const dim3 grid(static_cast<unsigned>(blocks), WithGradient && !WithScores ? static_cast<unsigned>(a.slabs) : 1U);
  kernel<<<grid, threads, bytes, place.queue>>>(a);
  check_launch("products of byte rows");
}

template <bool WithScores, bool WithGradient>
void launch_groups(const Place& place, const ByteProducts& a, int groups, int blocks) {
  switch (groups) {
    case 1: return launch<1, WithScores, WithGradient>(place, a, blocks);
    case 2: return launch<2, WithScores, WithGradient>(place, a, blocks);
    case 3: return launch<3, WithScores, WithGradient>(place, a, blocks);
    case 4: return launch<4, WithScores, WithGradient>(place, a, blocks);
    default: return launch<5, WithScores, WithGradient>(place, a, blocks);
  }
}

// Digits of coefficients as the tensor cores take them; a block a problem of the padded ones.
// Clears the whole sums of the gradient, too.
__global__ void write_fragments(const double* beta, int columns, int problems, int groups, int padded,
                                unsigned char* fragments, double* unscale, double* intercept,
                                unsigned long long* whole) {
  const int k = static_cast<int>(blockIdx.x);
  if (whole != nullptr)
    for (int j = threadIdx.x; j < 2 * columns; j += block_threads) whole[static_cast<std::size_t>(2 * k) * columns + j] = 0;
  __shared__ double greatest;
  double most = 0;
  const double* own = beta + static_cast<std::size_t>(k) * (columns + 1);
  // They may lie in the host's memory: the first ones are read once.
  constexpr int kept = slab / block_threads;
  double first[kept];
#pragma unroll
  for (int i = 0; i < kept; ++i) {
    const int j = threadIdx.x + i * block_threads;
    first[i] = k < problems && j < columns ? own[j + 1] : 0.0;
    most = fmax(most, fabs(first[i]));
  }
  if (k < problems)
    for (int j = slab + threadIdx.x; j < columns; j += block_threads) most = fmax(most, fabs(own[j + 1]));
  most = block_join<Most>(most);
  if (threadIdx.x == 0) greatest = most;
  __syncthreads();
  int exponent = 0;
  if (greatest > 0) frexp(greatest, &exponent);  // greatest < 2^exponent
  const int s = 30 - exponent;
  if (threadIdx.x == 0 && k < problems) {
    unscale[k] = ldexp(1.0, -s);
    intercept[k] = own[0];
  }
  const auto write = [&](int j, double b) {
    const int q = __double2int_rn(ldexp(b, s));
    const unsigned d = digits_of(q);
    const int in_step = j % 32;
    unsigned char* to = fragments + ((static_cast<std::size_t>(j / 32) * groups + k / 2) * 32 + k % 2 * 16 +
                                     in_step % 16 / 4) * 8 + in_step / 16 * 4 + in_step % 4;
    for (int digit = 0; digit < 4; ++digit) to[digit * 32] = static_cast<unsigned char>(d >> (8 * digit));
  };
#pragma unroll
  for (int i = 0; i < kept; ++i) {
    const int j = threadIdx.x + i * block_threads;
    if (j < padded) write(j, first[i]);
  }
  for (int j = slab + threadIdx.x; j < padded; j += block_threads)
    write(j, k < problems && j < columns ? own[j + 1] : 0.0);
}

// From whole sums to the gradient; the last block of a problem joins its six sums, of which one is the intercept's part.
__global__ void finish_kernel(const unsigned long long* whole, bool narrow, const float* residual_scale, int columns,
                              const double* partial, int blocks, double* sums, double* gradient) {
  const int k = static_cast<int>(blockIdx.y);
  double* to = gradient + static_cast<std::size_t>(k) * (columns + 1);
  if (blockIdx.x + 1 == gridDim.x) {
    const int q = threadIdx.x / 32;
    if (partial == nullptr || q >= pass_sums) return;
    const double v = join_pass_sum(partial + static_cast<std::size_t>(k * pass_sums + q) * blocks, blocks, q);
    if (threadIdx.x % 32 == 0) sums[k * pass_sums + q] = v;
    if (threadIdx.x % 32 == 0 && q == 1) to[0] = v;
    return;
  }
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= columns) return;
  const auto number = [&](int part) {
    return static_cast<double>(static_cast<long long>(whole[static_cast<std::size_t>(2 * k + part) * columns + j]));
  };
  to[j + 1] = (number(0) + (narrow ? 0.0 : 65536.0 * number(1))) / static_cast<double>(residual_scale[k]);
}

ByteProducts products(const Rows& rows, const Scores& scores, int first, int count) {
  ByteProducts a{};
  a.rows = rows.bytes();
  a.stride = rows.stride();
  a.columns = rows.columns();
  a.slabs = std::max(1, (rows.columns() + slab - 1) / slab);
  a.facts = rows.facts();
  a.scores = scores;
  a.scores.problems = scores.problems == nullptr ? nullptr : scores.problems + first;
  a.scores.count = count;
  return a;
}

void prepare(const Place& place, Workspace& work, ByteProducts& a, const double* beta, int groups,
             unsigned long long* whole) {
  const int padded = (a.slabs - 1) * slab + 32 * std::max(1, slab_steps(a.columns, a.slabs - 1));
  uint2* fragments = work.fragments.make_room(static_cast<std::size_t>(padded) * groups);
  double* unscale = work.unscale.make_room(2 * most_groups);
  double* intercept = work.intercept.make_room(2 * most_groups);
  write_fragments<<<2 * groups, block_threads, 0, place.queue>>>(
      beta, a.columns, a.scores.count, groups, padded, reinterpret_cast<unsigned char*>(fragments), unscale, intercept,
      whole);
  check_launch("coefficients");
  a.fragments = fragments;
  a.unscale = unscale;
  a.intercept = intercept;
}

unsigned long long* room_for_whole(Workspace& work, const ByteProducts& a) {
  return work.whole.make_room(std::size_t{4} * most_groups * static_cast<std::size_t>(std::max(1, a.columns)));
}

void finish(const Place& place, const ByteProducts& a, int blocks, double* sums, double* gradient) {
  const dim3 grid(static_cast<unsigned>((a.columns + block_threads - 1) / block_threads + 1),
                  static_cast<unsigned>(a.scores.count));
  finish_kernel<<<grid, block_threads, 0, place.queue>>>(a.gradient, a.narrow, a.residual_scale, a.columns, a.sums,
                                                         blocks, sums, gradient);
  check_launch("gradient");
}

// 2^30 units of 255 and so many rows fit 63 bits.
constexpr std::uint64_t most_narrow_rows = std::uint64_t{1} << 24;

}  // namespace

void byte_scores(const Place& place, const Rows& rows, Workspace& work, const double* beta, int problems,
                 float* const* to) {
  const std::size_t width = static_cast<std::size_t>(rows.columns()) + 1;
  upload(place, work.beta, beta, static_cast<std::size_t>(problems) * width);
  for (int first = 0; first < problems; first += 2 * most_groups) {
    const int count = std::min(2 * most_groups, problems - first);
    const int groups = (count + 1) / 2;
    ByteProducts a = products(rows, Scores{}, first, count);
    prepare(place, work, a, work.beta.data() + first * width, groups, nullptr);
    std::copy_n(to + first, count, a.to);
    launch_groups<true, false>(place, a, groups, place.processors);
  }
}

void byte_gradient(const Place& place, const Rows& rows, Workspace& work, int problems,
                   const std::int32_t* residual, double* gradient) {
  for (int first = 0; first < problems; first += 2 * most_groups) {
    const int count = std::min(2 * most_groups, problems - first);
    ByteProducts a = products(rows, Scores{}, first, count);
    a.residual = residual + static_cast<std::size_t>(first) * rows.count();
    a.residual_scale = work.residual_scale.data() + first;
    a.gradient = room_for_whole(work, a);
    clear(place, work.whole, std::size_t{4} * most_groups * static_cast<std::size_t>(std::max(1, a.columns)));
    launch_groups<false, true>(place, a, (count + 1) / 2, std::max(1, place.processors / a.slabs));
    finish(place, a, 0, nullptr, gradient + static_cast<std::size_t>(first) * (rows.columns() + 1));
  }
}

bool byte_pass_takes(const Rows& rows, const Scores& scores) {
  return rows.columns() <= slab && scores.coupled <= 2 * most_groups;
}

void byte_pass(const Place& place, const Rows& rows, Workspace& work, const Scores& scores, float* const* to,
               const double* beta, double* sums, double* gradient) {
  const int at_once = scores.coupled > 1 ? scores.coupled : 2 * most_groups;
  const std::size_t width = static_cast<std::size_t>(rows.columns()) + 1;
  for (int first = 0; first < scores.count; first += at_once) {
    const int count = std::min(at_once, scores.count - first);
    const int groups = (count + 1) / 2;
    ByteProducts a = products(rows, scores, first, count);
    a.narrow = rows.count() <= most_narrow_rows;
    a.gradient = room_for_whole(work, a);
    prepare(place, work, a, beta + first * width, groups, a.gradient);
    std::copy_n(to + first, count, a.to);
    a.residual_scale = work.residual_scale.data() + first;
    a.sums = work.partial.make_room(static_cast<std::size_t>(2 * most_groups * pass_sums * place.processors));
    launch_groups<true, true>(place, a, groups, place.processors);
    finish(place, a, place.processors, sums + first * pass_sums, gradient + first * width);
  }
}

}  // namespace linkgistic::cuda

// What a block of threads does with the scores of its rows in a pass: losses, residuals, and the sums of a pass.
#pragma once

#include "engine/cuda/device/products.cuh"

namespace linkgistic::cuda {

/// Eight threads take a row: thread t of the block problems t % 8, t % 8 + 8, ... of at most `Problems`.
template <int Problems, int Threads>
class RowPass {
  static constexpr int warps = Threads / 32;

 public:
  static constexpr int slots = (Problems + 7) / 8;  // problems of a thread
  /// Doubles that `write_sums` needs in shared memory.
  static constexpr int shared_sums = pass_sums * (Threads / 32) * 8;

  __device__ RowPass(const Scores& scores, const RowFacts& rows) : scores_(scores), rows_(rows) {
    // What every row needs is near.
    __shared__ Problem problems_near[Problems];
    __shared__ Table tables_near[Problems];
    for (int k = threadIdx.x; k < scores.count; k += Threads) {
      problems_near[k] = scores.problems[k];
      tables_near[k] = scores.table(k);
    }
    problem_ = problems_near;
    table_ = tables_near;
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) {
      lower_[slot] = INFINITY;
      upper_[slot] = -INFINITY;
      least_[slot] = INFINITY;
    }
  }

  /// Brings near what `take` will read of row n.
  __device__ void expect(std::uint64_t n) const {
    asm volatile("prefetch.global.L1 [%0];" ::"l"(rows_.labels + n));
    if (rows_.weights != nullptr) asm volatile("prefetch.global.L1 [%0];" ::"l"(rows_.weights + n));
  }

  /// Row n, whose scores are those of the thread's problems; put(k, r) takes the residual of problem k. Threads of a warp
  /// come together; a row that is not live has the residuals 0.
  template <class Put>
  __device__ void take(std::uint64_t n, bool live, const float (&score)[slots], const Put& put) {
    if (scores_.coupled == 1) {
      for_problems(n, live, score, put);
    } else {
      for_softmax(n, live, score, put);
    }
  }

  /// The sums of the block to (Problems, 6, blocks): over the rows of a warp by exchange, over the warps through shared
  /// memory, in their order.
  __device__ void write_sums(double* shared, double* sums) {
    const int warp = threadIdx.x / 32, own = threadIdx.x % 8;
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) {
      double v[pass_sums] = {loss_[slot], residual_[slot], size_[slot], lower_[slot], upper_[slot], least_[slot]};
      for (int apart = 8; apart < 32; apart *= 2) {
        for (int q = 0; q < pass_sums; ++q) {
          const double other = __shfl_xor_sync(~0U, v[q], apart);
          v[q] = q < 3 ? v[q] + other : q == 4 ? fmax(v[q], other) : fmin(v[q], other);
        }
      }
      __syncthreads();
      if (threadIdx.x % 32 < 8)
        for (int q = 0; q < pass_sums; ++q) shared[(q * warps + warp) * 8 + own] = v[q];
      __syncthreads();
      const int k = threadIdx.x % 8 + 8 * slot, q = threadIdx.x / 8;
      if (q < pass_sums && k < scores_.count) {
        double total = shared[(q * warps) * 8 + own];
        for (int i = 1; i < warps; ++i) {
          const double other = shared[(q * warps + i) * 8 + own];
          total = q < 3 ? total + other : q == 4 ? fmax(total, other) : fmin(total, other);
        }
        sums[static_cast<std::size_t>(k * pass_sums + q) * gridDim.x + blockIdx.x] = total;
      }
    }
  }

 private:
  template <class Put>
  __device__ void for_problems(std::uint64_t n, bool live, const float (&score)[slots], const Put& put) {
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) {
      const int k = static_cast<int>(threadIdx.x % 8) + 8 * slot;
      if (k >= scores_.count) continue;
      const Problem& problem = problem_[k];
      const float w = live ? weight_in(rows_, problem, n) : 0.0F;
      float r = 0;
      if (w > 0) {
        const bool positive = rows_.labels[n] == problem.label;
        const FloatNode l = look_up(table_[k], positive ? 1 : 0, score[slot]);
        r = w * l.slope;
        add(slot, w * l.value, r, score[slot], positive ? score[slot] : -score[slot]);
      }
      put(k, r);
    }
  }

  template <class Put>
  __device__ void for_softmax(std::uint64_t n, bool live, const float (&score)[slots], const Put& put) {
    const int count = scores_.count;
    const float given = live ? weight_in(rows_, problem_[0], n) : 0.0F;
    const std::int32_t label = live ? rows_.labels[n] : -1;
    float value[slots], slope[slots];
    bool is_own[slots];
    float own = -INFINITY, rival = -INFINITY;
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) {
      const int k = static_cast<int>(threadIdx.x % 8) + 8 * slot;
      is_own[slot] = false;
      value[slot] = -INFINITY;
      if (k >= count) continue;
      const FloatNode link = look_up(table_[k], 0, score[slot]);
      value[slot] = link.value;
      slope[slot] = link.slope;
      is_own[slot] = live && problem_[k].label == label;
      if (is_own[slot]) own = link.value;
      if (!is_own[slot]) rival = fmaxf(rival, link.value);
    }
    for (int apart = 4; apart > 0; apart /= 2) {
      own = fmaxf(own, __shfl_xor_sync(~0U, own, apart));
      rival = fmaxf(rival, __shfl_xor_sync(~0U, rival, apart));
    }
    const bool known = own > -INFINITY;
    const float w = known ? given : 0.0F;
    const float most = fmaxf(own, rival);
    float sum = 0;
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) {
      value[slot] = expf(value[slot] - most);
      sum += value[slot];
    }
    for (int apart = 4; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0U, sum, apart);
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) {
      const int k = static_cast<int>(threadIdx.x % 8) + 8 * slot;
      if (k >= count) continue;
      float r = 0;
      if (given > 0) {
        if (w > 0) r = w * (value[slot] / sum - (is_own[slot] ? 1.0F : 0.0F)) * slope[slot];
        const bool counts = k == 0 && known;
        add(slot, counts ? w * (logf(sum) + most - own) : 0.0F, r, score[slot], counts ? own - rival : INFINITY);
      }
      put(k, r);
    }
  }

  __device__ void add(int slot, float loss, float residual, float score, float signed_score) {
    loss_[slot] += static_cast<double>(loss);
    residual_[slot] += static_cast<double>(residual);
    size_[slot] += static_cast<double>(fabsf(residual));
    lower_[slot] = fminf(lower_[slot], score);
    upper_[slot] = fmaxf(upper_[slot], score);
    least_[slot] = fminf(least_[slot], signed_score);
  }

  const Scores& scores_;
  const RowFacts& rows_;
  const Problem* problem_;
  const Table* table_;
  double loss_[slots] = {}, residual_[slots] = {}, size_[slots] = {};
  float lower_[slots], upper_[slots], least_[slots];
};

}  // namespace linkgistic::cuda

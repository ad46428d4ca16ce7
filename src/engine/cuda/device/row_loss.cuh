// A row on the GPU: its label, weight and parts, and the loss of a set of problems at its scores.
#pragma once

#include "engine/cuda/device/support.cuh"
#include "engine/cuda/interface.h"

namespace linkgistic::cuda {

/// A cell of a table: c0 + c1 t + c2 t^2 + c3 t^3.
struct alignas(32) Cubic {
  double c0, c1, c2, c3;
};

/// A LossTable in the GPU's memory.
struct Table {
  const float4* packed;
  const Cubic* exact;
  double step;
  float inverse_step;
  int cells;
  int first_cell;
};

using Problem = lg_cuda_problem;

struct RowFacts {
  std::uint64_t rows;
  const std::int32_t* labels;
  const float* weights;  // or null
  const std::uint64_t* train;
  const std::uint64_t* held_out;
  int words;  // 0: there are no parts
};

/// The scores (P pointers to N of them) with their problems and tables.
struct Scores {
  const float* const* at;
  const Problem* problems;
  const Table* tables;
  int count;
  int coupled;

  __host__ __device__ int sets() const { return count / coupled; }
  __host__ __device__ int directions() const { return coupled > 1 ? coupled + 1 : 1; }
  __device__ const Table& table(int p) const { return tables[problems[p].table]; }
};

__device__ inline bool takes(const RowFacts& rows, const Problem& problem, std::uint64_t n) {
  if (rows.words == 0 || problem.rows == 0) return true;
  const std::uint64_t bit = std::uint64_t{1} << (problem.part % 64);
  const std::size_t word = n * rows.words;
  if (problem.rows == 1) return (rows.train[word + problem.part / 64] & bit) != 0;
  if (problem.rows == 2) return (rows.held_out[word + problem.part / 64] & bit) != 0;
  for (int w = 0; w < rows.words; ++w)
    if (rows.held_out[word + w] != 0) return false;
  return true;
}

/// The weight of a row in a problem, 0 where it does not take part.
__device__ inline float weight_in(const RowFacts& rows, const Problem& problem, std::uint64_t n) {
  const float w = rows.weights == nullptr ? 1.0F : rows.weights[n];
  return w > 0 && takes(rows, problem, n) ? w : 0.0F;
}

struct FloatNode {
  float value, slope;
};
/// In single precision, as the fast pass of the processor.
__device__ inline FloatNode look_up(const Table& table, int label, float margin) {
  const float u = margin * table.inverse_step;
  const float first = static_cast<float>(table.first_cell);
  const float cell = fminf(fmaxf(floorf(u) - first, 0.0F), static_cast<float>(table.cells - 1));
  const float t = u - (cell + first);
  const float4 c = table.packed[static_cast<int>(cell) + label * table.cells];
  const float value = fmaf(t, fmaf(t, fmaf(t, c.w, c.z), c.y), c.x);
  const float slope = fmaf(t, c.z + c.z + 3.0F * t * c.w, c.y);
  return {value, slope * table.inverse_step};
}

struct Node {
  double value, slope, curvature;
};
/// In double precision, with the second derivative of the interpolant.
__device__ inline Node node_at(const Table& table, int label, double margin) {
  const double u = margin / table.step;
  const double cell = fmin(fmax(0.0, floor(u) - table.first_cell), static_cast<double>(table.cells - 1));
  const double t = u - (cell + table.first_cell);
  const Cubic c = table.exact[static_cast<int>(cell) + label * table.cells];
  return {c.c0 + t * (c.c1 + t * (c.c2 + t * c.c3)), (c.c1 + t * (2 * c.c2 + 3 * t * c.c3)) / table.step,
          (2 * c.c2 + 6 * t * c.c3) / (table.step * table.step)};
}

/// The softmax of a set at some scores; `score(k)` is that of its problem k.
struct Softmax {
  double most = 0, sum = 0, loss = 0;

  template <class ScoreOf>
  __device__ Softmax(const Scores& s, int set, std::int32_t label, const ScoreOf& score) {
    const int first = set * s.coupled;
    double own = 0;
    bool known = false;
    most = -INFINITY;
    for (int k = 0; k < s.coupled; ++k) {
      const double value = node_at(s.table(first + k), 0, score(k)).value;
      most = fmax(most, value);
      if (!known && s.problems[first + k].label == label) {
        own = value;
        known = true;
      }
    }
    if (!known) return;  // sum = 0: the row does not count
    for (int k = 0; k < s.coupled; ++k)
      sum += exp(node_at(s.table(first + k), 0, score(k)).value - most);
    loss = log(sum) + most - own;
  }
  __device__ bool counts() const { return sum > 0; }
  __device__ double share(double value) const { return exp(value - most) / sum; }
};

}  // namespace linkgistic::cuda

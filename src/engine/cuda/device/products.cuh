// Products of the rows with coefficients, and of residuals with the rows, a file a storage:
//   scores    m_k = Z beta_k
//   gradient  Z' r_k, summed over the rows along one order that depends on the GPU's kind alone.
#pragma once

#include "engine/cuda/device/rows.cuh"

namespace linkgistic::cuda {

/// What a product needs beyond the rows. It stays between requests.
struct Workspace {
  DeviceArray<double> beta, intercept, unscale, partial, sums, gradient, join;
  DeviceArray<float> single_beta, residual, residual_scale, norms;
  std::vector<float> known_scale;    // what residual_scale holds
  DeviceArray<std::int32_t> digits;  // residuals of byte rows
  DeviceArray<uint2> fragments;
  DeviceArray<unsigned long long> whole;  // sums of whole numbers
  DeviceArray<float*> to;
  PinnedBytes staging;
};

/// Scores under coefficients (P, D + 1), intercept first, into P arrays of N numbers.
void write_scores(const Place& place, const Rows& rows, Workspace& work, const std::vector<double>& beta,
                  const std::vector<float*>& to);

/// The same of byte rows; coefficients and `to` on the host.
void byte_scores(const Place& place, const Rows& rows, Workspace& work, const double* beta, int problems,
                 float* const* to);
// Of the other storages: scores of problems whose coefficients are in `work.beta` already, `to` on the GPU.
void float_scores(const Place& place, const Rows& rows, Workspace& work, int problems, float* const* to);
void sparse_scores(const Place& place, const Rows& rows, Workspace& work, int problems, float* const* to);

/// Z' r of residuals (P, N), without the intercept's, to (P, D + 1) from its second number on.
void float_gradient(const Place& place, const Rows& rows, Workspace& work, int problems, const float* residual,
                    double* gradient);
void sparse_gradient(const Place& place, const Rows& rows, Workspace& work, int problems, const float* residual,
                     double* gradient);
/// Residuals as whole numbers, `work.residual_scale` of a unit.
void byte_gradient(const Place& place, const Rows& rows, Workspace& work, int problems,
                   const std::int32_t* residual, double* gradient);

/// Six sums a problem: loss, residuals, their sizes, least and greatest score, least signed score.
constexpr int pass_sums = 6;
/// Sum q of a pass, by the lanes of a warp, from those of blocks; in lane 0.
__device__ inline double join_pass_sum(const double* of_block, int blocks, int q) {
  const auto two = [q](double a, double b) { return q < 3 ? a + b : q == 4 ? fmax(a, b) : fmin(a, b); };
  double v = q < 3 ? 0.0 : q == 4 ? -INFINITY : INFINITY;
  for (int b = threadIdx.x % 32; b < blocks; b += 32) v = two(v, of_block[b]);
  for (int apart = 16; apart > 0; apart /= 2) v = two(v, __shfl_down_sync(~0U, v, apart));
  return v;
}
/// Those of all problems (P, 6) from those of blocks (P, 6, blocks).
void join_pass_sums(const Place& place, const double* partial, int blocks, double* to, int problems);
/// The sums of the residuals are the intercepts' part of the gradient.
void write_intercepts(const Place& place, const double* sums, int problems, std::size_t width, double* gradient);

/// Whether `byte_pass` takes these problems: all that it needs fits a multiprocessor.
bool byte_pass_takes(const Rows& rows, const Scores& scores);
/// Scores, residuals and gradient of byte rows in one read; `to` on the host; coefficients (P, D + 1), the gradient
/// (P, D + 1) and sums (P, 6) where the GPU reaches them, in its memory or in pinned one.
void byte_pass(const Place& place, const Rows& rows, Workspace& work, const Scores& scores, float* const* to,
               const double* beta, double* sums, double* gradient);

/// The same of single-precision rows.
bool float_pass_takes(const Rows& rows, const Scores& scores);
void float_pass(const Place& place, const Rows& rows, Workspace& work, const Scores& scores, float* const* to,
                const double* beta, double* sums, double* gradient);

}  // namespace linkgistic::cuda

// What the products of single-precision rows have in common.
#pragma once

#include "engine/cuda/device/products.cuh"

namespace linkgistic::cuda {

constexpr int most_problems = 10;  // of a kernel

/// launch(the number of problems that a kernel is compiled for).
template <class Launch>
void by_problems(int count, const Launch& launch) {
  if (count == 1) return launch(std::integral_constant<int, 1>());
  if (count == 2) return launch(std::integral_constant<int, 2>());
  if (count <= 4) return launch(std::integral_constant<int, 4>());
  return launch(std::integral_constant<int, most_problems>());
}

struct FloatCoefficients {
  const float* beta;        // (problems, stride), padded with zeros
  const double* intercept;  // (problems)
};
/// Coefficients (problems, columns + 1) on the GPU in single precision. Problems that only pad keep the numbers of earlier
/// ones.
FloatCoefficients split_coefficients(const Place& place, const Rows& rows, Workspace& work, const double* beta,
                                     int problems);

/// What blocks have summed, in double precision.
struct FloatSums {
  const double* gradient;  // (parts, problems, stride)
  int parts;
  const double* pass;  // (problems, 6, blocks), or null
  int blocks;
};
/// Their sums, in a fixed order: the gradient (problems, columns + 1), without the intercepts' part where there are no sums
/// of a pass; and these (problems, 6).
void finish_pass(const Place& place, const Rows& rows, const FloatSums& from, int problems, double* sums,
                 double* gradient);

}  // namespace linkgistic::cuda

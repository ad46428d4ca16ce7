// The verbs that look at features beside the scores, and not for a gradient: sample, gram, information, overlap and
// summary. Features are scaled and summed in double precision.
#pragma once

#include "engine/cuda/device/score_sums.cuh"

namespace linkgistic::cuda {

/// Functions of a score on the GPU.
struct Functions {
  double lower, step;
  int count, nodes;
  const double* values;  // (nodes, count)
};

class RowProducts {
 public:
  RowProducts(const Place& place, const Rows& rows, Workspace& work, ScoreSums& sums)
      : place_(place), rows_(rows), work_(work), sums_(sums) {}

  std::uint64_t sample(const Scores& scores, std::uint32_t direction, double share, std::uint64_t seed);
  /// Of the last sample: summed in double precision, then rounded to single.
  void sample_product(const lg_cuda_scale& scale, float* product);
  void gram(const Scores& scores, std::uint32_t direction, const lg_cuda_scale& scale, double* sum);
  void information(const Scores& scores, const lg_cuda_scale& scale, const lg_cuda_functions* functions, double* sum);
  void overlap(const Scores& scores, const std::uint32_t* group, std::uint32_t groups,
               const lg_cuda_functions* functions, double* sum);
  void summary(const lg_cuda_problem* selections, std::uint32_t selection_count, std::uint32_t labels,
               const double* pivot, double* weight, double* first, double* second, double* greatest);

 private:
  struct DeviceScale {
    const double *shift, *scale;  // null: 0, 1
  };
  DeviceScale upload_scale(const lg_cuda_scale& scale);
  /// Sum of x x' over so many rows, x written to the rows of a matrix by write(first, some, x): planes of it on
  /// the GPU, which are to be added.
  struct Planes {
    const double* sum;  // (count, width, width), the upper triangles by rows
    int count;
  };
  template <class Write>
  Planes products(std::uint64_t rows, std::size_t width, const Write& write);
  /// Adds them, and copies the sum to the host.
  void take(const Planes& planes, std::size_t width, double* sum);

  Place place_;
  const Rows& rows_;
  Workspace& work_;
  ScoreSums& sums_;
  DeviceArray<double> scale_, matrix_, product_, joined_, values_;
  DeviceArray<float> drawn_, single_;
  DeviceArray<std::uint32_t> all_rows_, chosen_;
  DeviceArray<unsigned char> scratch_;
  DeviceArray<Functions> functions_;
  DeviceArray<Problem> selections_;
  DeviceArray<std::uint32_t> numbers_;
  std::uint64_t sampled_ = 0;
};

}  // namespace linkgistic::cuda

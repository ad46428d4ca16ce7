// The verbs that see no more of a row than its scores: line, range, cells, curvature, held_out. Scores are single, all
// sums double, or whole numbers where threads meet.
#pragma once

#include "engine/cuda/device/products.cuh"
#include "engine/cuda/device/score_cache.cuh"

namespace linkgistic::cuda {

/// The softmax of every row and set, and the variance of nu' under its shares.
struct Norm {
  double most, sum, loss, variance;  // sum = 0: the row does not count
};

class ScoreSums {
 public:
  ScoreSums(const Place& place, const Rows& rows, Workspace& work) : place_(place), rows_(rows), work_(work) {}

  void line(const Scores& scores, const double* steps, std::uint32_t per_set, double* value, double* slope);
  void range(const Scores& scores, const std::uint32_t* group, std::uint32_t groups, double* lower, double* upper,
             std::uint64_t* bad_row);
  void cells(const Scores& scores, const std::uint32_t* group, std::uint32_t groups, const double* lower,
             const double* upper, std::uint32_t cells, double* moments, double* loss);
  void curvature(const Scores& scores, double* sum);
  void held_out(const Scores& scores, const std::uint32_t* candidate, std::uint32_t candidates, double most_loss,
                double* loss, double* squared_difference, double* weight);
  /// (sets, rows), for requests that are coupled; null for others. The variance is 0 unless it is asked for.
  const Norm* norms(const Scores& scores, bool with_variance = false);

 private:
  [[nodiscard]] int blocks() const;
  /// Adds partial sums (count, blocks) and copies them to `to`.
  template <class Join>
  void take(std::size_t count, int blocks, double* to);

  Place place_;
  const Rows& rows_;
  Workspace& work_;
  DeviceArray<Norm> norms_;
  DeviceArray<double> steps_, first_loss_;
  DeviceArray<std::uint32_t> numbers_;
};

/// c_n = w_n max(l'', 0) of a direction of a set, 0 where the row does not count.
__device__ inline double curvature_of(const Scores& s, const RowFacts& rows, const Norm* norms, int set, int direction,
                                      std::uint64_t n) {
  const Problem& problem = s.problems[set * s.coupled];
  const double w = static_cast<double>(weight_in(rows, problem, n));
  if (!(w > 0)) return 0;
  if (s.coupled == 1) {
    const int label = rows.labels[n] == problem.label ? 1 : 0;
    return w * fmax(node_at(s.table(set), label, static_cast<double>(s.at[set][n])).curvature, 0.0);
  }
  const Norm norm = norms[set * rows.rows + n];
  if (!(norm.sum > 0)) return 0;
  if (direction == s.coupled) return w * norm.variance;
  const int p = set * s.coupled + direction;
  const Node link = node_at(s.table(p), 0, static_cast<double>(s.at[p][n]));
  const double share = exp(link.value - norm.most) / norm.sum;
  return w * share * (1 - share) * link.slope * link.slope;
}

}  // namespace linkgistic::cuda

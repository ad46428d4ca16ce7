// Many rows of one score replaced by few: per cell of the score's range and per label, the two weighted
// points that have the same moments 0 to 3 as the rows in the cell (their two-point Gauss rule).
//
// sum_n w_n h(x_n) is kept for every cubic h, and to fourth order in the cell's width for any smooth one: so
// are the log likelihood of any source, its derivatives, the mode and the evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace linkgistic {

/// Rows (x, y in {0, 1}, weight), ordinary data for PointwiseData.
struct WeightedRows {
  std::vector<double> x, y, weight;
  [[nodiscard]] std::size_t size() const { return x.size(); }
};

/// The smallest and the largest score of a row that counts; lower > upper when there is none.
struct ScoreRange {
  double lower = 1, upper = 0;
  [[nodiscard]] double middle() const { return (lower + upper) / 2; }
  [[nodiscard]] double half() const { return (upper - lower) / 2; }
};

/// An empty weight counts every row once. Scores that are not finite are an InputError.
ScoreRange score_range(std::span<const float> score, std::span<const float> weight, int threads);

/// At most 4 `cells` points, label 1 where `labels` equals `positive`. Rows are summed in chunks that depend
/// on their number alone: the result is the same for any number of threads.
WeightedRows compress_rows(std::span<const float> score, std::span<const std::int32_t> labels,
                           std::int32_t positive, std::span<const float> weight, const ScoreRange& range,
                           std::size_t cells, int threads);

/// The same of values x in increasing order with the weights of both labels. At most 2 `cells` values are
/// kept as they are.
WeightedRows compress_counts(std::span<const double> x, std::span<const double> negative,
                             std::span<const double> positive, std::size_t cells);

}  // namespace linkgistic

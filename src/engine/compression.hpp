// Many rows of one score replaced by few: per cell of the score's range and per label, the two weighted
// points that have the same moments 0 to 3 as the rows in the cell (their two-point Gauss rule).
//
// sum_n w_n h(x_n) is kept for every cubic h, and to fourth order in the cell's width for any smooth one: so
// are the log likelihood of any source, its derivatives, the mode and the evidence.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace linkgistic {

/// Rows (x, y in {0, 1}, weight), ordinary data for PointwiseData; or points of several kinds of weight, y
/// the kind.
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

/// sum w d^i, i = 0..3, d in [-1, 1] the place in the cell.
using CellMoments = std::array<double, 4>;

/// Equal cells over a range of scores, with sums of moments for each kind of weight: cell c and kind y at
/// kinds c + y.
class CellGrid {
 public:
  CellGrid(double lower, double upper, std::size_t cells, std::size_t kinds = 2)
      : lower_(lower),
        width_(upper > lower ? (upper - lower) / static_cast<double>(cells) : 1),
        last_cell_(static_cast<double>(cells - 1)),
        kinds_(kinds) {}

  [[nodiscard]] double lower() const { return lower_; }
  [[nodiscard]] double width() const { return width_; }

  void add(double score, double weight, std::size_t kind, CellMoments* moments) const {
    const double u = (score - lower_) / width_;
    const double cell = std::min(std::max(0.0, std::floor(u)), last_cell_);  // NaN: the first
    const double d = 2 * (u - cell) - 1;
    CellMoments& m = moments[kinds_ * static_cast<std::size_t>(cell) + kind];
    m[0] += weight;
    m[1] += weight * d;
    m[2] += weight * d * d;
    m[3] += weight * d * d * d;
  }

  /// At most two points for each cell and kind, y the kind.
  [[nodiscard]] WeightedRows rows(std::span<const CellMoments> moments) const;

 private:
  double lower_, width_, last_cell_;
  std::size_t kinds_;
};

/// The points for values x in increasing order with the weights of both labels. At most 2 `cells` values are
/// kept as they are.
WeightedRows compress_counts(std::span<const double> x, std::span<const double> negative,
                             std::span<const double> positive, std::size_t cells);

}  // namespace linkgistic

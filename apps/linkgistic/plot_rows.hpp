// Rows of a stream of any length, few enough to draw.
#pragma once

#include <linkgistic/rows.hpp>

#include "report/regression_figure.hpp"

namespace linkgistic {

/// Every k-th row, y for an exposure of 1 or as a share of the trials, k the least power of two that leaves
/// at most 100,000 of them.
class RowSampler {
 public:
  void add(const RowBlock& block);
  [[nodiscard]] RowsForPlot rows() && { return std::move(shown_); }

 private:
  RowsForPlot shown_;
  std::size_t row_ = 0, step_ = 1;
};

/// The same of a whole stream. Throws Interrupted.
RowsForPlot rows_for_plot(RowStream& rows);

}  // namespace linkgistic

// Rows of a stream of any length, few enough to draw.
#pragma once

#include <linkgistic/rows.hpp>

#include "report/regression_figure.hpp"

namespace linkgistic {

/// Every k-th row, k the least power of two that leaves at most 100,000 of them. Throws Interrupted.
RowsForPlot rows_for_plot(RowStream& rows);

}  // namespace linkgistic

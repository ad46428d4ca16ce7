// Where the panels of a figure stand: axes of a column aligned, room for every label.
#pragma once

#include <cstddef>
#include <vector>

#include "report/figure/axis.hpp"
#include "report/figure/figure.hpp"

namespace linkgistic {

/// A panel with its axes settled. Positions are in points from the lower left corner of the figure.
struct PlacedPanel {
  const Panel* panel;
  Range x, y;
  std::vector<Tic> x_tics, y_tics;
  double left, right, bottom, top;  // the axes
  double y_label_at;                // x of the first line of the y label
  double title_at;                  // y of the first line of the title
  double legend_top;                // of a legend above
  std::size_t legend_columns, legend_rows;
  double x_label_at;  // y of the first line of the x label
  bool shows_x;       // numbers and label under the x axis
};

/// Throws a UsageError where the figure breaks a constraint or has no room for its panels.
std::vector<PlacedPanel> place_panels(const Figure& figure);

}  // namespace linkgistic

// The legend of a panel: a sample and the label of each layer that has one, in columns.
#pragma once

#include <cstddef>

#include "report/figure/canvas.hpp"

namespace linkgistic {

struct LegendSize {
  std::size_t columns, rows;
  double width, height;  // points; both zero where no layer has a label
};

/// The most columns that fit into this width, at least one.
LegendSize legend_size(const Panel& panel, double room);

/// Draws it in so many columns.
void draw_legend(Canvas& canvas, const Panel& panel, std::size_t columns, Spot upper_left);

/// The label of a layer, empty if it is not in the legend.
const std::string& label_of(const Layer& layer);

}  // namespace linkgistic

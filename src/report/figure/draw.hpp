// A figure drawn on a canvas.
#pragma once

#include "report/figure/canvas.hpp"
#include "report/figure/layout.hpp"

namespace linkgistic {

/// The panels are those that place_panels gave for this figure.
void draw(const Figure& figure, const std::vector<PlacedPanel>& panels, Canvas& canvas);

}  // namespace linkgistic

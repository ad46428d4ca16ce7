// The part of a line or an area that lies in a box. Canvases get no coordinate far outside the figure, which
// Cairo's 24 bits before the point could not hold, and need no clipping of their own, for which SVG would
// need names of parts.
#pragma once

#include <vector>

#include "report/figure/canvas.hpp"

namespace linkgistic {

struct Box {
  double left, right, top, bottom;  // top < bottom
  [[nodiscard]] bool contains(Spot s) const {
    return s.x >= left && s.x <= right && s.y >= top && s.y <= bottom;
  }
};

/// The pieces of the line inside; a line of one spot gives it twice, for a dot.
std::vector<Path> clipped_line(const Path& line, const Box& box);

/// The area inside, as one outline (with edges along the box where the area leaves it); empty if there is
/// none.
Path clipped_area(Path outline, const Box& box);

}  // namespace linkgistic

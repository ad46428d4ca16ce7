// The data of a panel, drawn within its axes.
#pragma once

#include "report/figure/canvas.hpp"
#include "report/figure/clip.hpp"
#include "report/figure/layout.hpp"

namespace linkgistic {

/// From values to places on the canvas.
class PanelMap {
 public:
  PanelMap(const PlacedPanel& placed, double figure_height);

  [[nodiscard]] double x(double value) const;
  [[nodiscard]] double y(double value) const;
  [[nodiscard]] const Box& box() const { return box_; }

 private:
  const PlacedPanel& placed_;
  Box box_;
};

/// All layers in their order; what stands outside the axes is cut off.
void draw_layers(Canvas& canvas, const PlacedPanel& placed, const PanelMap& map);

}  // namespace linkgistic

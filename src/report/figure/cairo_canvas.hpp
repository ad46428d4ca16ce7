// Canvases by Cairo: a picture of pixels, or a page of PDF with its fonts inside.
#pragma once

#include <memory>

#include "report/figure/canvas.hpp"

namespace linkgistic {

/// A PNG of this size in points, with style::png_scale pixels a point.
std::unique_ptr<Canvas> png_canvas(double width, double height);

/// A PDF of this size in points. It has no date, so that the same figure gives the same bytes.
std::unique_ptr<Canvas> pdf_canvas(double width, double height);

}  // namespace linkgistic

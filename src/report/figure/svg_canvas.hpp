// A canvas that writes SVG with text as text, which a reader can search, a browser sets in its own font and a
// screen reader reads. Cairo's SVG surface turns letters into outlines under names that repeat from picture
// to picture of a page.
#pragma once

#include <memory>
#include <string_view>

#include "report/figure/canvas.hpp"

namespace linkgistic {

/// A file of this size in points.
std::unique_ptr<Canvas> svg_file(double width, double height);

/// An element of a page: as wide as its place there, and with these words for those who cannot see it. It
/// keeps the groups, by which the page's script (report/page.js) finds axes and layers.
std::unique_ptr<Canvas> svg_element(double width, double height, std::string_view description);

}  // namespace linkgistic

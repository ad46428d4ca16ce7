// The pixels of a picture file, and where a colour is among them.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include <cairo.h>

namespace linkgistic {

struct Centre {
  double x = 0, y = 0, count = 0;  // pixels from the upper left corner
};

class Pixels {
 public:
  explicit Pixels(const std::string& path) : surface_(cairo_image_surface_create_from_png(path.c_str())) {
    if (cairo_surface_status(surface_) != CAIRO_STATUS_SUCCESS)
      throw std::runtime_error(path + " is no picture");
  }
  ~Pixels() { cairo_surface_destroy(surface_); }
  Pixels(const Pixels&) = delete;
  Pixels& operator=(const Pixels&) = delete;

  [[nodiscard]] int width() const { return cairo_image_surface_get_width(surface_); }
  [[nodiscard]] int height() const { return cairo_image_surface_get_height(surface_); }
  [[nodiscard]] std::uint32_t rgb(int x, int y) const {
    std::uint32_t pixel = 0;
    const auto place = std::ptrdiff_t{y} * cairo_image_surface_get_stride(surface_) + std::ptrdiff_t{4} * x;
    std::memcpy(&pixel, cairo_image_surface_get_data(surface_) + place, 4);
    return pixel & 0xFFFFFF;
  }

  /// The mean place of the pixels of this very colour.
  [[nodiscard]] Centre centre_of(std::uint32_t colour) const {
    Centre centre;
    for (int y = 0; y < height(); ++y)
      for (int x = 0; x < width(); ++x)
        if (rgb(x, y) == colour) centre.x += x + 0.5, centre.y += y + 0.5, ++centre.count;
    centre.x /= centre.count;
    centre.y /= centre.count;
    return centre;
  }

 private:
  cairo_surface_t* surface_;
};

}  // namespace linkgistic

#include "report/figure/cairo_canvas.hpp"

#include <cmath>
#include <numbers>

#include <linkgistic/error.hpp>

#include "report/figure/drawing_library.hpp"
#include "report/figure/style.hpp"
#include "report/figure/text.hpp"

namespace linkgistic {
namespace {

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

/// Cairo's way to hand over the bytes of a file; nothing may be thrown through it.
cairo_status_t append(void* text, const unsigned char* data, unsigned int size) noexcept try {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
} catch (...) {
  return CAIRO_STATUS_NO_MEMORY;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw InputError(std::string("the figure cannot be drawn: ") + drawing().cairo_status_to_string(status));
}

class CairoCanvas : public Canvas {
 public:
  void stroke(const std::vector<Path>& paths, const Pen& pen) override {
    for (const Path& path : paths) add(path);
    use(pen.ink);
    std::vector<double> dashes = dash_pattern(pen.dash);
    for (double& part : dashes) part *= pen.width;
    drawing().cairo_set_dash(cairo_.get(), dashes.data(), static_cast<int>(dashes.size()), 0);
    drawing().cairo_set_line_cap(cairo_.get(), dashes.empty() ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    drawing().cairo_set_line_width(cairo_.get(), pen.width);
    drawing().cairo_stroke(cairo_.get());
  }

  void fill(const std::vector<Path>& outlines, const Ink& ink) override {
    for (const Path& outline : outlines) {
      add(outline);
      drawing().cairo_close_path(cairo_.get());
    }
    use(ink);
    drawing().cairo_fill(cairo_.get());
  }

  void discs(const Path& centres, double diameter, const Ink& ink) override {
    use(ink);
    for (const Spot at : centres) {
      drawing().cairo_arc(cairo_.get(), at.x, at.y, diameter / 2, 0, 2 * std::numbers::pi);
      drawing().cairo_fill(cairo_.get());
    }
  }

  void text(const Words& words, const Placing& placing, const Ink& ink) override {
    const double width = width_of(words, placing.size);
    const double begin = placing.anchor == Anchor::left     ? 0
                         : placing.anchor == Anchor::middle ? -width / 2
                                                            : -width;
    drawing().cairo_save(cairo_.get());
    use(ink);
    drawing().cairo_translate(cairo_.get(), placing.at.x, placing.at.y);
    if (placing.upwards) drawing().cairo_rotate(cairo_.get(), -std::numbers::pi / 2);
    drawing().cairo_move_to(cairo_.get(), begin, 0);
    show_text(cairo_.get(), words.text, placing.size);
    drawing().cairo_move_to(cairo_.get(), begin + width_of({words.text}, placing.size),
                            -raised_by * placing.size);
    show_text(cairo_.get(), words.raised, raised_size * placing.size);
    drawing().cairo_restore(cairo_.get());
    drawing().cairo_new_path(cairo_.get());
  }

 protected:
  CairoCanvas(cairo_surface_t* surface, double scale) : surface_(surface, drawing().cairo_surface_destroy) {
    cairo_.reset(drawing().cairo_create(surface_.get()));
    check(drawing().cairo_status(cairo_.get()));
    drawing().cairo_scale(cairo_.get(), scale, scale);
    drawing().cairo_set_line_join(cairo_.get(), CAIRO_LINE_JOIN_ROUND);
    use({style::background});
    drawing().cairo_paint(cairo_.get());
  }
  /// The surface with all that was drawn so far; an InputError where Cairo failed at it.
  cairo_surface_t* drawn() {
    check(drawing().cairo_status(cairo_.get()));
    drawing().cairo_surface_flush(surface_.get());
    return surface_.get();
  }

 private:
  void use(const Ink& ink) {
    const auto part = [&](int shift) { return static_cast<double>((ink.rgb >> shift) & 255) / 255; };
    drawing().cairo_set_source_rgba(cairo_.get(), part(16), part(8), part(0), ink.opacity);
  }

  void add(const Path& path) {
    drawing().cairo_move_to(cairo_.get(), path.front().x, path.front().y);
    for (std::size_t i = 1; i < path.size(); ++i) drawing().cairo_line_to(cairo_.get(), path[i].x, path[i].y);
  }

  struct Destroy {
    void operator()(cairo_t* cairo) const { drawing().cairo_destroy(cairo); }
  };
  Surface surface_;
  std::unique_ptr<cairo_t, Destroy> cairo_;
};

class PngCanvas : public CairoCanvas {
 public:
  PngCanvas(double width, double height)
      : CairoCanvas(drawing().cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(width), pixels(height)),
                    style::png_scale) {}

  std::string finish() override {
    std::string bytes;
    check(drawing().cairo_surface_write_to_png_stream(drawn(), append, &bytes));
    return bytes;
  }

 private:
  static int pixels(double length) { return static_cast<int>(std::lround(length * style::png_scale)); }
};

/// The bytes a surface writes to while it lives, and so made before it.
struct PdfBytes {
  std::string bytes;
};

class PdfCanvas : private PdfBytes, public CairoCanvas {
 public:
  PdfCanvas(double width, double height)
      : CairoCanvas(drawing().cairo_pdf_surface_create_for_stream(append, &bytes, width, height), 1) {
    drawing().cairo_pdf_surface_set_metadata(drawn(), CAIRO_PDF_METADATA_CREATE_DATE, nullptr);
  }

  std::string finish() override {
    cairo_surface_t* surface = drawn();
    drawing().cairo_surface_finish(surface);
    check(drawing().cairo_surface_status(surface));
    return std::move(bytes);
  }
};

}  // namespace

std::unique_ptr<Canvas> png_canvas(double width, double height) {
  return std::make_unique<PngCanvas>(width, height);
}

std::unique_ptr<Canvas> pdf_canvas(double width, double height) {
  return std::make_unique<PdfCanvas>(width, height);
}

}  // namespace linkgistic

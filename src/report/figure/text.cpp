#include "report/figure/text.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

#include "report/figure/drawing_library.hpp"
#include "report/figure/style.hpp"

namespace linkgistic {
namespace {

struct Unref {
  void operator()(gpointer object) const { drawing().g_object_unref(object); }
};
template <class T>
using Object = std::unique_ptr<T, Unref>;

/// Pango chooses for each character a font that has it, and sets all scripts. Nothing is rounded to pixels,
/// so that a line has the same width on every canvas.
class Typesetter {
 public:
  Typesetter()
      : fonts_(drawing().pango_cairo_font_map_new()),
        context_(drawing().pango_font_map_create_context(fonts_.get())) {
    const std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> options(
        drawing().cairo_font_options_create(), drawing().cairo_font_options_destroy);
    drawing().cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    drawing().cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    drawing().cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    drawing().pango_cairo_context_set_font_options(context_.get(), options.get());
    drawing().pango_context_set_round_glyph_positions(context_.get(), FALSE);
  }

  [[nodiscard]] Object<PangoLayout> line(const std::string& text, double size) const {
    Object<PangoLayout> layout(drawing().pango_layout_new(context_.get()));
    const std::unique_ptr<PangoFontDescription, decltype(&pango_font_description_free)> font(
        drawing().pango_font_description_new(), drawing().pango_font_description_free);
    drawing().pango_font_description_set_family_static(font.get(), style::font);
    drawing().pango_font_description_set_absolute_size(font.get(), size * PANGO_SCALE);
    drawing().pango_layout_set_font_description(layout.get(), font.get());
    drawing().pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
    drawing().pango_layout_set_text(layout.get(), text.data(), static_cast<int>(text.size()));
    return layout;
  }

 private:
  Object<PangoFontMap> fonts_;
  Object<PangoContext> context_;
};

const Typesetter& typesetter() {
  thread_local const Typesetter instance;
  return instance;
}

double line_width(const std::string& line, double size) {
  if (line.empty()) return 0;
  PangoRectangle box;
  drawing().pango_layout_get_extents(typesetter().line(line, size).get(), nullptr, &box);
  return static_cast<double>(box.width) / PANGO_SCALE;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if ((c >= 0 && c < ' ' && c != '\n') || c == 127) c = ' ';
  const std::unique_ptr<gchar, decltype(&g_free)> valid(
      drawing().g_utf8_make_valid(shown.data(), static_cast<gssize>(shown.size())), drawing().g_free);
  return valid.get();
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  if (text.empty()) return lines;
  std::istringstream in(printable(text) + '\n');
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

double width_of(const Words& words, double size) {
  return line_width(words.text, size) + line_width(words.raised, raised_size * size);
}

void show_text(cairo_t* cairo, const std::string& line, double size) {
  if (line.empty()) return;
  const Object<PangoLayout> layout = typesetter().line(line, size);
  drawing().pango_cairo_show_layout_line(cairo, drawing().pango_layout_get_line_readonly(layout.get(), 0));
}

}  // namespace linkgistic

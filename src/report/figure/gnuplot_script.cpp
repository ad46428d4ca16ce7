#include "report/figure/gnuplot_script.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <vector>

#include "report/figure/layout.hpp"
#include "report/figure/style.hpp"
#include "report/figure/thin.hpp"

namespace linkgistic {
namespace {

/// The shortest decimal that reads back as the same double.
std::string tic_number(double value) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

/// "#AARRGGBB", where gnuplot's AA is transparency.
std::string colour(Colour role, double opacity = 1) {
  const double clear = 255 * (1 - std::clamp(opacity, 0.0, 1.0));
  const std::uint32_t argb = (static_cast<std::uint32_t>(std::lround(clear)) << 24) | style::rgb(role);
  std::string text = "\"#";
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(argb >> shift) & 15];
  return text + '"';
}

std::string dash(Dash dash) {
  switch (dash) {
    case Dash::solid:
      return "solid";
    case Dash::dashed:
      return "(8,5)";
    case Dash::dotted:
      return "(2,4)";
  }
  return "solid";
}

std::string stroke(Colour role, double width, Dash pattern, double opacity) {
  return " lc rgb " + colour(role, opacity) + " lw " + tic_number(width) + " dt " + dash(pattern);
}

/// The length of the valid UTF-8 sequence at the start of `text`, 0 if there is none (RFC 3629).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if (length > 2) {
    const unsigned head = lead << 8 | byte(1);  // overlong forms, surrogates, beyond U+10FFFF
    if ((head >= 0xE080 && head < 0xE0A0) || (head >= 0xEDA0 && head < 0xEE00)) return 0;
    if ((head >= 0xF080 && head < 0xF090) || head >= 0xF490) return 0;
  }
  return length;
}

/// The plot commands of one panel: data blocks and the elements of `plot` that refer to them.
class PanelLayers {
 public:
  PanelLayers(const PlacedPanel& placed, std::size_t index) : placed_(placed), index_(index) {
    for (const Layer& layer : placed.panel->layers) std::visit([this](const auto& l) { add(l); }, layer);
  }

  const std::string& blocks() const { return blocks_; }
  const std::string& elements() const { return elements_; }
  /// The legend, as elements of `plot` that draw nothing else.
  const std::string& entries() const { return entries_; }

 private:
  void add(const Line& l) {
    const auto drawn = [&](std::size_t i) { return on_x(l.x[i]) && on_y(l.y[i]); };
    curve(thin_curve(l.y, l.y, drawn), drawn, {&l.x, &l.y});
    element("lines", stroke(l.colour, l.width, l.dash, l.opacity), l.label);
  }

  void add(const Band& l) {
    const auto drawn = [&](std::size_t i) { return on_x(l.x[i]) && on_y(l.lower[i]) && on_y(l.upper[i]); };
    curve(thin_curve(l.lower, l.upper, drawn), drawn, {&l.x, &l.lower, &l.upper});
    element("filledcurves", " fc rgb " + colour(l.colour) + fill(l.opacity) + " noborder", l.label);
  }

  void add(const Points& l) {
    const auto drawn = [&](std::size_t i) { return on_x(l.x[i]) && on_y(l.y[i]); };
    curve(thin_points(l.x, l.y, drawn), drawn, {&l.x, &l.y});
    element(
        "points",
        " pt 7 ps " + tic_number(l.size / style::point_diameter) + " lc rgb " + colour(l.colour, l.opacity),
        l.label);
  }

  void add(const Marker& l) {
    const Range other = l.vertical ? placed_.y : placed_.x;
    const std::vector<double> fixed = {l.value, l.value}, along = {other.lower, other.upper};
    const bool drawn = l.vertical ? on_x(l.value) : on_y(l.value);
    curve({0, 1}, [&](std::size_t) { return drawn; },
          {l.vertical ? &fixed : &along, l.vertical ? &along : &fixed});
    element("lines", stroke(l.colour, l.width, l.dash, 1), l.label);
  }

  void add(const Histogram& l) {
    std::vector<std::size_t> bars(l.x.size());
    for (std::size_t i = 0; i < bars.size(); ++i) bars[i] = i;
    curve(bars, [&](std::size_t i) { return on_x(l.x[i]) && on_y(l.y[i]) && l.width[i] > 0; },
          {&l.x, &l.y, &l.width});
    element("boxes",
            " fc rgb " + colour(l.colour) + fill(l.opacity) + " border lc rgb \"" + style::background + '"',
            l.label);
  }

  static std::string fill(double opacity) {
    return " fs transparent solid " + tic_number(std::clamp(opacity, 0.0, 1.0));
  }
  bool on_x(double value) const { return on_axis(value, placed_.panel->log_x); }
  bool on_y(double value) const { return on_axis(value, placed_.panel->log_y); }
  std::string block() const { return "$panel" + std::to_string(index_) + "_layer" + std::to_string(count_); }

  /// A data block of the chosen rows; one blank line, which breaks a line or area, stands for rows with no
  /// place.
  template <class Drawn>
  void curve(const std::vector<std::size_t>& rows, const Drawn& drawn,
             const std::vector<const std::vector<double>*>& columns) {
    std::string text;
    bool broken = true;
    any_ = false;
    for (const std::size_t i : rows) {
      if (!drawn(i)) {
        if (!broken) text += '\n';
        broken = true;
        continue;
      }
      for (const auto* column : columns) text += tic_number((*column)[i]) + ' ';
      text.back() = '\n';
      broken = false;
      any_ = true;
    }
    if (any_) blocks_ += block() + " << end_of_data\n" + text + "end_of_data\n";
  }

  void element(const char* with, const std::string& look, std::string label) {
    if (any_) elements_ += ", " + block() + " with " + with + look + " notitle";
    std::replace(label.begin(), label.end(), '\n', ' ');
    if (!label.empty())
      entries_ +=
          ", keyentry with " + std::string(with) + look + " title " + gnuplot_string(label) + " noenhanced";
    ++count_;
  }

  const PlacedPanel& placed_;
  std::size_t index_;
  std::size_t count_ = 0;
  bool any_ = false;
  std::string blocks_, elements_, entries_;
};

class Script {
 public:
  Script(const Figure& figure, ImageFormat format) : figure_(figure) {
    const std::vector<PlacedPanel> panels = place_panels(figure);
    terminal(format);
    line("set multiplot\nset samples 2");
    if (!figure.title.empty())
      label(figure.title, panels.front().left, figure.height - style::edge - style::title_size / 2, "left",
            style::title_size);
    for (std::size_t i = 0; i < panels.size(); ++i) panel(panels[i], i);
    line("unset multiplot");
  }
  std::string text() && { return std::move(text_); }

 private:
  void line(const std::string& command) { text_ += command + '\n'; }
  std::string screen_x(double points) const { return "screen " + tic_number(points / figure_.width); }
  std::string screen_y(double points) const { return "screen " + tic_number(points / figure_.height); }

  void terminal(ImageFormat format) {
    const std::string font = " enhanced rounded background \"" + std::string(style::background) +
                             "\" font \"" + style::font + ',' + tic_number(style::font_size) + '"';
    const auto size = [&](double scale) {
      return " size " + tic_number(figure_.width * scale) + ',' + tic_number(figure_.height * scale);
    };
    const auto scales = [](double fonts, double lines, double points) {
      return " fontscale " + tic_number(fonts) + " linewidth " + tic_number(lines) + " pointscale " +
             tic_number(points);
    };
    constexpr double png = style::png_scale;
    line("set encoding utf8");
    switch (format) {
      case ImageFormat::svg:
        return line("set terminal svg fixed" + size(1) + font);
      case ImageFormat::png:
        return line("set terminal pngcairo" + size(png) + font + scales(png * style::font_scale, png, png));
      case ImageFormat::pdf:
        return line("set terminal pdfcairo size " + tic_number(figure_.width / 72) + "in," +
                    tic_number(figure_.height / 72) + "in" + font +
                    scales(style::font_scale, style::pdf_line_scale, 1));
    }
  }

  void axes() {
    const std::string axis =
        std::string(" lc rgb \"") + style::axis + "\" lw " + tic_number(style::axis_width);
    line("set border 3 back" + axis);
    line(std::string("set grid back lt 1 lc rgb \"") + style::grid + "\" lw " +
         tic_number(style::grid_width));
  }

  void label(const std::string& text, double x, double y, const std::string& how,
             double size = style::font_size) {
    line("set label " + gnuplot_string(text) + " at " + screen_x(x) + ',' + screen_y(y) + ' ' + how +
         " noenhanced front font \"" + style::font + ',' + tic_number(size) + "\" tc rgb \"" + style::text +
         '"');
  }

  void axis(const std::string& name, Range range, bool log, const std::vector<Tic>& numbers, bool labelled) {
    line((log ? "set logscale " : "unset logscale ") + name);
    line("set " + name + "range [" + tic_number(range.lower) + ':' + tic_number(range.upper) + "] noextend");
    std::string list;
    for (const Tic& tic : numbers)
      list += (list.empty() ? "\"" : ", \"") + (labelled ? tic.label : "") + "\" " + tic_number(tic.value);
    line("set " + name + "tics nomirror out scale 0.4 (" + list + ") enhanced tc rgb \"" + style::text + '"');
  }

  void key(const std::string& place) {
    line("set key " + place + " Left reverse noenhanced samplen 2 tc rgb \"" + style::text + '"');
  }

  void frame(double left, double right, double bottom, double top) {
    line("set lmargin at " + screen_x(left));
    line("set rmargin at " + screen_x(right));
    line("set bmargin at " + screen_y(bottom));
    line("set tmargin at " + screen_y(top));
  }

  /// A legend above is a plot of its own that has no axes: gnuplot bounds a legend by the axes it belongs to.
  void legend_above(const PlacedPanel& p, const std::string& entries) {
    frame(p.left, p.legend_right, p.legend_bottom, p.legend_top);
    line("unset border\nunset tics\nunset logscale\nset xrange [0:1]\nset yrange [0:1]");
    key("at " + screen_x(p.left - style::legend_indent) + ',' + screen_y(p.legend_top) +
        " left top horizontal maxcols " + std::to_string(p.legend_columns));
    line("plot NaN notitle" + entries);
    line("unset label");
  }

  /// Sets the place of a legend inside; says whether there is one.
  bool legend_inside(Legend place) {
    switch (place) {
      case Legend::above:
      case Legend::none:
        break;
      case Legend::top_left:
        key("inside vertical top left");
        return true;
      case Legend::top_right:
        key("inside vertical top right");
        return true;
      case Legend::bottom_left:
        key("inside vertical bottom left");
        return true;
      case Legend::bottom_right:
        key("inside vertical bottom right");
        return true;
    }
    line("unset key");
    return false;
  }

  void panel(const PlacedPanel& p, std::size_t index) {
    const PanelLayers layers(p, index);
    if (p.panel->legend == Legend::above && !layers.entries().empty()) legend_above(p, layers.entries());
    frame(p.left, p.right, p.bottom, p.top);
    axes();
    axis("x", p.x, p.panel->log_x, p.x_tics, p.shows_x);
    axis("y", p.y, p.panel->log_y, p.y_tics, true);
    if (!p.panel->title.empty()) label(p.panel->title, p.left, p.title_at, "left");
    if (!p.panel->y_label.empty())
      label(p.panel->y_label, p.y_label_at, (p.bottom + p.top) / 2, "center rotate by 90");
    if (p.shows_x && !p.panel->x_label.empty())
      label(p.panel->x_label, (p.left + p.right) / 2, p.x_label_at, "center");
    const bool inside = legend_inside(p.panel->legend);
    // NaN draws nothing and makes the axes appear where no layer does.
    text_ += layers.blocks();
    line("plot NaN notitle" + layers.elements() + (inside ? layers.entries() : ""));
    line("unset label");
  }

  const Figure& figure_;
  std::string text_;
};

}  // namespace

std::string gnuplot_string(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (length == 0)
      quoted += "\uFFFD";
    else if (length > 1)
      quoted += text.substr(0, length);
    else if (c == '\n')
      quoted += "\\n";
    else if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (c == '`')
      quoted += "\\140";
    else if (c == '@')
      quoted += "\\100";
    else
      quoted += c < ' ' || c == 127 ? ' ' : c;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return quoted + '"';
}

std::string gnuplot_script(const Figure& figure, ImageFormat format) { return Script(figure, format).text(); }

}  // namespace linkgistic

#include "report/figure/draw.hpp"

#include "report/figure/layers.hpp"
#include "report/figure/legend.hpp"
#include "report/figure/style.hpp"
#include "report/figure/text.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

class PanelDrawing {
 public:
  PanelDrawing(Canvas& canvas, const PlacedPanel& placed, double figure_height)
      : canvas_(canvas), placed_(placed), height_(figure_height), map_(placed, figure_height) {}

  void draw() const {
    canvas_.begin(group());
    in_group("grid", &PanelDrawing::grid);
    in_group("axes", &PanelDrawing::axes);
    draw_layers(canvas_, placed_, map_);
    in_group("numbers", &PanelDrawing::numbers);
    labels();
    legend();
    canvas_.end();
  }

 private:
  /// The axes as the page's script takes them: their box (left, top, right, bottom) and their ranges.
  [[nodiscard]] Group group() const {
    const Box& box = map_.box();
    const Panel& panel = *placed_.panel;
    const auto pair = [](double a, double b) { return shortest(a) + ' ' + shortest(b); };
    return {"panel",
            {{"box", pair(box.left, box.top) + ' ' + pair(box.right, box.bottom)},
             {"x", pair(placed_.x.lower, placed_.x.upper)},
             {"y", pair(placed_.y.lower, placed_.y.upper)},
             {"log", std::string(panel.log_x ? "x" : "") + (panel.log_y ? "y" : "")},
             {"xname", one_line(panel.x_label)},
             {"yname", one_line(panel.y_label)}}};
  }

  void in_group(const char* name, void (PanelDrawing::*part)() const) const {
    canvas_.begin({name});
    (this->*part)();
    canvas_.end();
  }

  void grid() const {
    const Box& box = map_.box();
    std::vector<Path> lines;
    for (const Tic& tic : placed_.x_tics)
      lines.push_back({{map_.x(tic.value), box.top}, {map_.x(tic.value), box.bottom}});
    for (const Tic& tic : placed_.y_tics)
      lines.push_back({{box.left, map_.y(tic.value)}, {box.right, map_.y(tic.value)}});
    canvas_.stroke(lines, {{style::grid}, style::grid_width});
  }

  /// They lie under the data, so that a curve along one of them is seen.
  void axes() const {
    const Box& box = map_.box();
    std::vector<Path> lines = {{{box.left, box.top}, {box.left, box.bottom}, {box.right, box.bottom}}};
    for (const Tic& tic : placed_.x_tics)
      lines.push_back({{map_.x(tic.value), box.bottom}, {map_.x(tic.value), box.bottom + style::tic_length}});
    for (const Tic& tic : placed_.y_tics)
      lines.push_back({{box.left - style::tic_length, map_.y(tic.value)}, {box.left, map_.y(tic.value)}});
    canvas_.stroke(lines, {{style::axis}, style::axis_width});
  }

  void numbers() const {
    const Box& box = map_.box();
    const double middle = style::half_letter * style::font_size;
    if (placed_.shows_x) {
      for (const Tic& tic : placed_.x_tics)
        text(tic.label, {{map_.x(tic.value), box.bottom + style::tic_gap + style::font_size},
                         style::font_size,
                         Anchor::middle});
    }
    for (const Tic& tic : placed_.y_tics)
      text(tic.label,
           {{box.left - style::tic_gap, map_.y(tic.value) + middle}, style::font_size, Anchor::right});
  }

  void labels() const {
    const Panel& panel = *placed_.panel;
    const double middle = style::half_letter * style::font_size;
    label(panel.title, {placed_.left, height_ - placed_.title_at + middle}, Anchor::left);
    label(panel.y_label, {placed_.y_label_at + middle, height_ - (placed_.bottom + placed_.top) / 2},
          Anchor::middle, true);
    if (placed_.shows_x)
      label(panel.x_label, {(placed_.left + placed_.right) / 2, height_ - placed_.x_label_at + middle},
            Anchor::middle);
  }

  /// Its lines one after the other, from the first one's place.
  void label(const std::string& words, Spot at, Anchor anchor, bool upwards = false) const {
    for (const std::string& line : lines_of(words)) {
      text({line}, {at, style::font_size, anchor, upwards});
      (upwards ? at.x : at.y) += style::line_height;
    }
  }

  void legend() const {
    const Panel& panel = *placed_.panel;
    const LegendSize size = legend_size(panel, 0);
    if (panel.legend == Legend::none || size.rows == 0) return;
    if (panel.legend == Legend::above)
      return draw_legend(canvas_, panel, placed_.legend_columns,
                         {placed_.left, height_ - placed_.legend_top});
    const Box& box = map_.box();
    const bool left = panel.legend == Legend::top_left || panel.legend == Legend::bottom_left;
    const bool top = panel.legend == Legend::top_left || panel.legend == Legend::top_right;
    draw_legend(canvas_, panel, 1,
                {left ? box.left + style::legend_inset : box.right - style::legend_inset - size.width,
                 top ? box.top + style::legend_inset : box.bottom - style::legend_inset - size.height});
  }

  void text(const Words& words, const Placing& placing) const { canvas_.text(words, placing, {style::text}); }

  Canvas& canvas_;
  const PlacedPanel& placed_;
  double height_;
  PanelMap map_;
};

}  // namespace

void draw(const Figure& figure, const std::vector<PlacedPanel>& panels, Canvas& canvas) {
  double at = style::edge + style::title_size / 2 + style::half_letter * style::title_size;
  for (const std::string& line : lines_of(figure.title)) {
    canvas.text({line}, {{panels.front().left, at}, style::title_size}, {style::text});
    at += style::title_line;
  }
  for (const PlacedPanel& placed : panels) PanelDrawing(canvas, placed, figure.height).draw();
}

}  // namespace linkgistic

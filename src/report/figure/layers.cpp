#include "report/figure/layers.hpp"

#include <algorithm>
#include <cmath>

#include "report/figure/legend.hpp"
#include "report/figure/style.hpp"
#include "report/figure/text.hpp"
#include "report/figure/thin.hpp"

namespace linkgistic {
namespace {

/// The place of a value between two ends; values far outside stay where products of two places are finite.
double share(double value, Range range, bool log) {
  constexpr double far = 1e100;
  const double part = log ? (std::log10(value) - std::log10(range.lower)) /
                                (std::log10(range.upper) - std::log10(range.lower))
                          : (value - range.lower) / (range.upper - range.lower);
  return std::clamp(part, -far, far);
}

class LayerDrawing {
 public:
  LayerDrawing(Canvas& canvas, const PlacedPanel& placed, const PanelMap& map)
      : canvas_(canvas), placed_(placed), map_(map) {}

  void operator()(const Line& l) const {
    const auto drawn = [&](std::size_t i) { return on_x(l.x[i]) && on_y(l.y[i]); };
    std::vector<Path> pieces;
    for (const auto& run : runs(thin_curve(l.y, l.y, drawn), drawn)) {
      Path line;
      for (const std::size_t i : run) line.push_back({map_.x(l.x[i]), map_.y(l.y[i])});
      for (Path& piece : clipped_line(line, map_.box())) pieces.push_back(std::move(piece));
    }
    canvas_.stroke(pieces, {{style::rgb(l.colour), l.opacity}, l.width, l.dash});
  }

  void operator()(const Band& l) const {
    const auto drawn = [&](std::size_t i) { return on_x(l.x[i]) && on_y(l.lower[i]) && on_y(l.upper[i]); };
    std::vector<Path> areas;
    for (const auto& run : runs(thin_curve(l.lower, l.upper, drawn), drawn)) {
      Path outline;
      for (const std::size_t i : run) outline.push_back({map_.x(l.x[i]), map_.y(l.upper[i])});
      for (auto i = run.rbegin(); i != run.rend(); ++i)
        outline.push_back({map_.x(l.x[*i]), map_.y(l.lower[*i])});
      add_area(areas, std::move(outline));
    }
    canvas_.fill(areas, {style::rgb(l.colour), l.opacity});
  }

  void operator()(const Points& l) const {
    const auto drawn = [&](std::size_t i) { return on_x(l.x[i]) && on_y(l.y[i]); };
    Path centres;
    for (const std::size_t i : thin_points(l.x, l.y, drawn)) {
      const Spot at{map_.x(l.x[i]), map_.y(l.y[i])};
      if (map_.box().contains(at)) centres.push_back(at);
    }
    canvas_.discs(centres, l.size, {style::rgb(l.colour), l.opacity});
  }

  void operator()(const Marker& l) const {
    if (!(l.vertical ? on_x(l.value) : on_y(l.value))) return;
    const Box& box = map_.box();
    const Path line = l.vertical ? Path{{map_.x(l.value), box.bottom}, {map_.x(l.value), box.top}}
                                 : Path{{box.left, map_.y(l.value)}, {box.right, map_.y(l.value)}};
    canvas_.stroke(clipped_line(line, box), {{style::rgb(l.colour)}, l.width, l.dash});
  }

  /// A thin gap parts bars that touch.
  void operator()(const Histogram& l) const {
    std::vector<Path> bars;
    const double base = placed_.panel->log_y ? map_.box().bottom : map_.y(0);
    for (std::size_t i = 0; i < l.x.size(); ++i) {
      const double from = l.x[i] - l.width[i] / 2, to = l.x[i] + l.width[i] / 2;
      if (!on_x(l.x[i]) || !on_y(l.y[i]) || !(l.width[i] > 0)) continue;
      const double left = on_x(from) ? map_.x(from) : map_.box().left;
      const double right = on_x(to) ? map_.x(to) : map_.box().right;
      const double gap = std::min(style::bar_gap, (right - left) / 4) / 2;
      const double top = map_.y(l.y[i]);
      add_area(bars, {{left + gap, base}, {left + gap, top}, {right - gap, top}, {right - gap, base}});
    }
    canvas_.fill(bars, {style::rgb(l.colour), l.opacity});
  }

 private:
  [[nodiscard]] bool on_x(double value) const { return on_axis(value, placed_.panel->log_x); }
  [[nodiscard]] bool on_y(double value) const { return on_axis(value, placed_.panel->log_y); }

  /// Stretches of rows that have a place, of those chosen.
  template <class Drawn>
  static std::vector<std::vector<std::size_t>> runs(const std::vector<std::size_t>& rows,
                                                    const Drawn& drawn) {
    std::vector<std::vector<std::size_t>> result;
    bool open = false;
    for (const std::size_t i : rows) {
      if (drawn(i)) {
        if (!open) result.emplace_back();
        result.back().push_back(i);
      }
      open = drawn(i);
    }
    return result;
  }

  void add_area(std::vector<Path>& areas, Path outline) const {
    Path inside = clipped_area(std::move(outline), map_.box());
    if (inside.size() > 2) areas.push_back(std::move(inside));
  }

  Canvas& canvas_;
  const PlacedPanel& placed_;
  const PanelMap& map_;
};

}  // namespace

PanelMap::PanelMap(const PlacedPanel& placed, double figure_height)
    : placed_(placed),
      box_{placed.left, placed.right, figure_height - placed.top, figure_height - placed.bottom} {}

double PanelMap::x(double value) const {
  return box_.left + share(value, placed_.x, placed_.panel->log_x) * (box_.right - box_.left);
}

double PanelMap::y(double value) const {
  return box_.bottom + share(value, placed_.y, placed_.panel->log_y) * (box_.top - box_.bottom);
}

void draw_layers(Canvas& canvas, const PlacedPanel& placed, const PanelMap& map) {
  constexpr const char* kinds[] = {"line", "band", "points", "marker", "bars"};  // in the order of Layer
  for (const Layer& layer : placed.panel->layers) {
    canvas.begin({"layer", {{"kind", kinds[layer.index()]}, {"name", one_line(label_of(layer))}}});
    std::visit(LayerDrawing(canvas, placed, map), layer);
    canvas.end();
  }
}

}  // namespace linkgistic

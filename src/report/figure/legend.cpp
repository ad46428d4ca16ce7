#include "report/figure/legend.hpp"

#include <algorithm>
#include <numeric>

#include "report/figure/style.hpp"
#include "report/figure/text.hpp"

namespace linkgistic {
namespace {

std::vector<const Layer*> labelled(const Panel& panel) {
  std::vector<const Layer*> result;
  for (const Layer& layer : panel.layers)
    if (!label_of(layer).empty()) result.push_back(&layer);
  return result;
}

/// Width of each column when the entries stand row by row in so many.
std::vector<double> column_widths(const std::vector<double>& entries, std::size_t columns) {
  std::vector<double> widths(columns, 0);
  for (std::size_t i = 0; i < entries.size(); ++i)
    widths[i % columns] = std::max(widths[i % columns], entries[i]);
  return widths;
}

std::vector<double> entry_widths(const std::vector<const Layer*>& entries) {
  std::vector<double> widths;
  for (const Layer* layer : entries)
    widths.push_back(style::legend_sample + style::legend_gap +
                     width_of({one_line(label_of(*layer))}, style::font_size));
  return widths;
}

double total_width(const std::vector<double>& columns) {
  return std::accumulate(columns.begin(), columns.end(), 0.0) +
         style::legend_column_gap * static_cast<double>(columns.size() - 1);
}

/// What a layer looks like, in a box around the height of small letters.
class Sample {
 public:
  Sample(Canvas& canvas, Spot left_middle) : canvas_(canvas), at_(left_middle) {}

  void operator()(const Line& l) const { stroke({{style::rgb(l.colour), l.opacity}, l.width, l.dash}); }
  void operator()(const Marker& l) const { stroke({{style::rgb(l.colour)}, l.width, l.dash}); }
  void operator()(const Band& l) const { box({style::rgb(l.colour), l.opacity}); }
  void operator()(const Histogram& l) const { box({style::rgb(l.colour), l.opacity}); }
  void operator()(const Points& l) const {
    canvas_.discs({{at_.x + style::legend_sample / 2, at_.y}}, l.size, {style::rgb(l.colour), l.opacity});
  }

 private:
  void stroke(const Pen& pen) const { canvas_.stroke({{at_, {at_.x + style::legend_sample, at_.y}}}, pen); }
  void box(const Ink& ink) const {
    const double right = at_.x + style::legend_sample, half = style::font_size / 3;
    canvas_.fill(
        {{{at_.x, at_.y - half}, {right, at_.y - half}, {right, at_.y + half}, {at_.x, at_.y + half}}}, ink);
  }

  Canvas& canvas_;
  Spot at_;
};

}  // namespace

const std::string& label_of(const Layer& layer) {
  return std::visit([](const auto& l) -> const std::string& { return l.label; }, layer);
}

LegendSize legend_size(const Panel& panel, double room) {
  const std::vector<double> entries = entry_widths(labelled(panel));
  if (entries.empty()) return {1, 0, 0, 0};
  std::size_t columns = entries.size();
  while (columns > 1 && total_width(column_widths(entries, columns)) > room) --columns;
  const std::size_t rows = (entries.size() + columns - 1) / columns;
  return {columns, rows, total_width(column_widths(entries, columns)),
          style::line_height * static_cast<double>(rows)};
}

void draw_legend(Canvas& canvas, const Panel& panel, std::size_t columns, Spot upper_left) {
  const std::vector<const Layer*> entries = labelled(panel);
  const std::vector<double> widths = column_widths(entry_widths(entries), columns);
  Spot at{upper_left.x, upper_left.y + style::line_height / 2};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    canvas.begin({"entry", {{"name", one_line(label_of(*entries[i]))}}});
    std::visit(Sample(canvas, at), *entries[i]);
    canvas.text(
        {one_line(label_of(*entries[i]))},
        {{at.x + style::legend_sample + style::legend_gap, at.y + style::half_letter * style::font_size},
         style::font_size},
        {style::text});
    canvas.end();
    at.x += widths[i % columns] + style::legend_column_gap;
    if ((i + 1) % columns == 0) at = {upper_left.x, at.y + style::line_height};
  }
}

}  // namespace linkgistic

#include "report/figure/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <linkgistic/error.hpp>

#include "report/figure/legend.hpp"
#include "report/figure/style.hpp"
#include "report/figure/text.hpp"

namespace linkgistic {
namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

double height_of(const std::string& text) {
  return style::line_height * static_cast<double>(lines_of(text).size());
}

void check_range(const char* name, const std::optional<Range>& range, bool log) {
  if (!range) return;
  const auto [lower, upper] = *range;
  const double largest = std::max(std::abs(lower), std::abs(upper));
  if (!on_axis(lower, log) || !on_axis(upper, log) || !(upper - lower > std::max(1e-9 * largest, 1e-290)))
    throw UsageError(std::string(name) + " = [" + std::to_string(lower) + ", " + std::to_string(upper) +
                     "]: must be finite and increasing" +
                     (log ? ", and positive on a logarithmic axis" : ""));
}

void check_sizes(const Layer& layer) {
  const auto equal = [&](std::initializer_list<std::size_t> sizes) {
    for (const std::size_t size : sizes)
      if (size != *sizes.begin())
        throw UsageError("the layer '" + label_of(layer) + "' has vectors of different lengths: " +
                         std::to_string(*sizes.begin()) + " and " + std::to_string(size));
  };
  std::visit(Match{[](const Marker&) {},
                   [&](const Band& l) {
                     equal({l.x.size(), l.lower.size(), l.upper.size()});
                   },
                   [&](const Histogram& l) {
                     equal({l.x.size(), l.y.size(), l.width.size()});
                   },
                   [&](const auto& l) {
                     equal({l.x.size(), l.y.size()});
                   }},
             layer);
}

void check(const Figure& figure) {
  const auto size_ok = [](double length) { return length >= 50 && length <= 5000; };
  if (!size_ok(figure.width) || !size_ok(figure.height))
    throw UsageError("figure size " + std::to_string(figure.width) + " x " + std::to_string(figure.height) +
                     ": width and height must be 50 to 5000 points");
  if (figure.panels.empty()) throw UsageError("panels: a figure needs at least one");
  if (figure.columns < 1)
    throw UsageError("columns = " + std::to_string(figure.columns) + ": must be at least 1");
  const std::size_t columns = static_cast<std::size_t>(figure.columns);
  const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
  const auto& heights = figure.row_heights;
  if (!heights.empty() && heights.size() != rows)
    throw UsageError("row_heights: " + std::to_string(heights.size()) + " values for " +
                     std::to_string(rows) + " rows");
  for (const double height : heights)
    if (!(height > 0) || !std::isfinite(height))
      throw UsageError("row_heights: " + std::to_string(height) + " must be positive and finite");
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    check_range("x_range", panel.x_range, panel.log_x);
    check_range("y_range", panel.y_range, panel.log_y);
    for (const Layer& layer : panel.layers) check_sizes(layer);
    if (figure.share_x && panel.log_x != figure.panels[i % columns].log_x)
      throw UsageError("log_x: panels that share their x axis must agree");
  }
}

void add_x(const Panel& panel, AxisExtent& extent) {
  for (const Layer& layer : panel.layers)
    std::visit(Match{[&](const Marker& l) {
                       if (l.vertical) extent.add(l.value);
                     },
                     [&](const Histogram& l) {
                       for (std::size_t i = 0; i < l.x.size(); ++i) {
                         extent.add(l.x[i] - l.width[i] / 2);
                         extent.add(l.x[i] + l.width[i] / 2);
                       }
                     },
                     [&](const auto& l) { extent.add(l.x); }},
               layer);
}

void add_y(const Panel& panel, AxisExtent& extent) {
  for (const Layer& layer : panel.layers)
    std::visit(Match{[&](const Marker& l) {
                       if (!l.vertical) extent.add(l.value);
                     },
                     [&](const Histogram& l) { extent.add(l.y), extent.add_base(); },
                     [&](const Band& l) { extent.add(l.lower), extent.add(l.upper); },
                     [&](const auto& l) { extent.add(l.y); }},
               layer);
}

/// One x range for a set of panels: what their given ranges span or, where none is given, their data.
Range x_range_of(const std::vector<const Panel*>& panels) {
  AxisExtent given(panels.front()->log_x), data(panels.front()->log_x);
  bool any_given = false;
  for (const Panel* panel : panels) {
    add_x(*panel, data);
    if (!panel->x_range) continue;
    any_given = true;
    given.add(panel->x_range->lower), given.add(panel->x_range->upper);
  }
  return any_given ? given.padded(0) : data.padded(0.02);
}

Range y_range_of(const Panel& panel) {
  if (panel.y_range) return *panel.y_range;
  AxisExtent extent(panel.log_y);
  add_y(panel, extent);
  return extent.padded(0.05);
}

double widest(const std::vector<Tic>& numbers) {
  double width = 0;
  for (const Tic& tic : numbers) width = std::max(width, width_of(tic.label, style::font_size));
  return width;
}

double legend_height(const PlacedPanel& p) {
  return p.legend_rows == 0 ? 0 : style::line_height * static_cast<double>(p.legend_rows) + style::legend_gap;
}

class Layout {
 public:
  explicit Layout(const Figure& figure)
      : figure_(figure),
        count_(figure.panels.size()),
        columns_(std::min(static_cast<std::size_t>(figure.columns), count_)),
        rows_((count_ + columns_ - 1) / columns_),
        row_gap_(figure.share_x ? style::shared_gap : style::row_gap),
        placed_(count_) {
    settle_ranges();
    // The numbers along y depend on the height of the axes, and the rows of a legend above on the width that
    // those numbers leave: heights are settled with legends of one row, then widths, then heights for good.
    settle_heights();
    settle_widths();
    settle_heights();
  }
  std::vector<PlacedPanel> panels() && { return std::move(placed_); }

 private:
  void settle_ranges() {
    for (std::size_t i = 0; i < count_; ++i) {
      PlacedPanel& p = placed_[i];
      p.panel = &figure_.panels[i];
      std::vector<const Panel*> sharing;
      for (std::size_t j = 0; j < count_; ++j)
        if (j == i || (figure_.share_x && j % columns_ == i % columns_))
          sharing.push_back(&figure_.panels[j]);
      p.x = x_range_of(sharing);
      p.y = y_range_of(*p.panel);
      p.shows_x = !figure_.share_x || i + columns_ >= count_;
      settle_legend(p, std::numeric_limits<double>::infinity());
    }
  }

  double weight(std::size_t row) const {
    const auto& weights = figure_.row_heights;
    return weights.empty() ? 1.0 / static_cast<double>(rows_)
                           : weights[row] / std::accumulate(weights.begin(), weights.end(), 0.0);
  }

  double below(const PlacedPanel& p) const {
    if (!p.shows_x) return 0;
    return style::tic_gap + style::font_size + style::label_gap + height_of(p.panel->x_label);
  }

  /// What labels need is taken first; the axes of the rows share the rest.
  void settle_heights() {
    std::vector<double> titles(rows_, 0), legends(rows_, 0), feet(rows_, 0);
    for (std::size_t i = 0; i < count_; ++i) {
      const PlacedPanel& p = placed_[i];
      const std::size_t row = i / columns_;
      titles[row] = std::max(titles[row], height_of(p.panel->title));
      legends[row] = std::max(legends[row], legend_height(p));
      feet[row] = std::max(feet[row], below(p));
    }
    const double title =
        figure_.title.empty()
            ? 0
            : style::title_gap + style::title_line * static_cast<double>(lines_of(figure_.title).size());
    double at = figure_.height - style::edge - title;
    double room = at - style::edge - static_cast<double>(rows_ - 1) * row_gap_;
    for (std::size_t row = 0; row < rows_; ++row) room -= titles[row] + legends[row] + feet[row];
    for (std::size_t row = 0; row < rows_; ++row) {
      const double height = room * weight(row);
      if (!(height >= style::least_panel)) too_small("height", figure_.height, rows_, "rows");
      const double top = at - titles[row] - legends[row];
      for (std::size_t i = row * columns_; i < std::min(count_, (row + 1) * columns_); ++i) {
        PlacedPanel& p = placed_[i];
        p.top = top;
        p.bottom = top - height;
        p.legend_top = top + legends[row];
        p.title_at = p.legend_top + height_of(p.panel->title) - style::line_height / 2;
        p.x_label_at =
            p.bottom - style::tic_gap - style::font_size - style::label_gap - style::line_height / 2;
        p.y_tics = tics(p.y, p.panel->log_y, std::min(style::most_tics, height / style::tic_room_y));
      }
      at = top - height - feet[row] - row_gap_;
    }
  }

  void settle_widths() {
    std::vector<double> labels(columns_, 0), numbers(columns_, 0);
    for (std::size_t i = 0; i < count_; ++i) {
      const double label = height_of(placed_[i].panel->y_label);
      const std::size_t column = i % columns_;
      labels[column] = std::max(labels[column], label > 0 ? label + style::label_gap : 0);
      numbers[column] = std::max(numbers[column], style::tic_gap + widest(placed_[i].y_tics));
    }
    double room = figure_.width - 2 * style::edge - style::last_number -
                  static_cast<double>(columns_ - 1) * style::column_gap;
    for (std::size_t c = 0; c < columns_; ++c) room -= labels[c] + numbers[c];
    const double width = room / static_cast<double>(columns_);
    if (!(width >= style::least_panel)) too_small("width", figure_.width, columns_, "columns");
    double at = style::edge;
    for (std::size_t c = 0; c < columns_; ++c) {
      const double left = at + labels[c] + numbers[c];
      for (std::size_t i = c; i < count_; i += columns_) {
        PlacedPanel& p = placed_[i];
        p.left = left;
        p.right = left + width;
        p.y_label_at = at + style::line_height / 2;
        p.x_tics = tics(p.x, p.panel->log_x, std::min(style::most_tics, width / style::tic_room_x));
        const double needed = 1.5 * widest(p.x_tics);
        if (needed > style::tic_room_x)
          p.x_tics = tics(p.x, p.panel->log_x, std::min(style::most_tics, width / needed));
      }
      at = left + width + style::column_gap;
    }
    settle_legends();
  }

  static void settle_legend(PlacedPanel& p, double room) {
    const LegendSize size = legend_size(*p.panel, room);
    p.legend_columns = size.columns;
    p.legend_rows = p.panel->legend == Legend::above ? size.rows : 0;
  }

  /// A legend above may reach over the panels to its right, up to the next that has a legend above.
  void settle_legends() {
    for (std::size_t i = 0; i < count_; ++i) {
      PlacedPanel& p = placed_[i];
      double right = p.right;
      for (std::size_t j = i + 1; j < count_ && j % columns_ != 0; ++j) {
        if (placed_[j].legend_rows > 0 || !placed_[j].panel->title.empty()) break;
        right = placed_[j].right;
      }
      settle_legend(p, right - p.left);
    }
  }

  [[noreturn]] static void too_small(const char* name, double value, std::size_t parts, const char* of) {
    throw UsageError(std::string(name) + " = " + std::to_string(value) + ": too small for " +
                     std::to_string(parts) + ' ' + of + " of panels and their labels");
  }

  const Figure& figure_;
  std::size_t count_, columns_, rows_;
  double row_gap_;
  std::vector<PlacedPanel> placed_;
};

}  // namespace

std::vector<PlacedPanel> place_panels(const Figure& figure) {
  check(figure);
  return Layout(figure).panels();
}

}  // namespace linkgistic

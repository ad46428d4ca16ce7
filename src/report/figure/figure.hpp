// What a figure shows, as plain values: panels in a grid, and in each panel layers drawn in the order given.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace linkgistic {

/// What a colour means. The palette (report/figure/style.hpp) is that of Okabe and Ito, safe for colour-blind
/// readers.
enum class Colour { data, primary, secondary, tertiary, quaternary, quinary, senary, reference };

enum class Dash { solid, dashed, dotted };

/// `above` stands between the panel's title and its axes and so never covers data; the others are inside
/// corners.
enum class Legend { above, top_left, top_right, bottom_left, bottom_right, none };

struct Range {
  double lower = 0;
  double upper = 1;
};

// Layers. An empty label keeps a layer out of the legend. A value that is NaN or infinite, beyond 1e300 in
// magnitude, or not positive on a logarithmic axis has no place: it breaks a line or band, and a point or bar
// is left out. Layers whose vectors differ in length are refused.
//
// Above 5,000 values a layer is thinned for display, always in the same way, so that an SVG stays small. A
// line or band keeps of each of 1,000 runs of consecutive values the first, the last, the lowest, the highest
// and one break: its outline is that of all values. Points keep one of each of 4,996 runs, at a fixed
// pseudo-random place in the run, and the four that are extreme in x or y: the density of the cloud is kept
// in proportion. Bars are never thinned.

struct Line {
  std::string label;
  std::vector<double> x, y;
  Colour colour = Colour::primary;
  double width = 1.5;  // points
  Dash dash = Dash::solid;
  double opacity = 1;  // 0 to 1
};

/// The area between lower(x) and upper(x).
struct Band {
  std::string label;
  std::vector<double> x, lower, upper;
  Colour colour = Colour::primary;
  double opacity = 0.2;
};

struct Points {
  std::string label;
  std::vector<double> x, y;
  Colour colour = Colour::data;
  double size = 3.5;  // diameter in points
  double opacity = 0.6;
};

/// A reference line across the whole panel, at x = value (vertical) or y = value.
struct Marker {
  std::string label;
  double value = 0;
  bool vertical = true;
  Colour colour = Colour::reference;
  double width = 1;
  Dash dash = Dash::dashed;
};

/// Bars from 0 to y, centred at x.
struct Histogram {
  std::string label;
  std::vector<double> x, y, width;
  Colour colour = Colour::primary;
  double opacity = 0.6;
};

using Layer = std::variant<Line, Band, Points, Marker, Histogram>;

/// All text, here and in the layers, is shown as it stands: no character has a meaning of its own but the
/// newline, which starts a new line (in a legend it is a space).
struct Panel {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::optional<Range>
      x_range;  // lower < upper, positive on a logarithmic axis; without it, all data and a margin
  std::optional<Range> y_range;
  bool log_x = false;
  bool log_y = false;
  Legend legend = Legend::above;
  std::vector<Layer> layers;
};

struct Figure {
  std::string title;
  double width = 480;         // points; 50 to 5,000
  double height = 320;        // points; 50 to 5,000
  std::vector<Panel> panels;  // row by row; at least one
  int columns = 1;
  /// Relative heights of the rows; empty: all equal.
  std::vector<double> row_heights;
  /// The panels of a column share one x axis: the same range, numbers and label under the lowest panel only.
  bool share_x = false;
};

/// Panels one below the other that share their x axis.
inline Figure stacked(std::vector<Panel> panels, std::vector<double> row_heights, double height) {
  Figure figure;
  figure.height = height;
  figure.panels = std::move(panels);
  figure.row_heights = std::move(row_heights);
  figure.share_x = true;
  return figure;
}

}  // namespace linkgistic

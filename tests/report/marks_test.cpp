// Marks stand where their values say, on every canvas, and labels have the room they take.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "report/figure/render.hpp"
#include "report/figure/style.hpp"
#include "report/figure/text.hpp"
#include "report/figures.hpp"
#include "report/pixels.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

/// The numbers between the quotes of an attribute, of every element that `element` finds.
std::vector<std::vector<double>> numbers(const std::string& svg, const std::string& element) {
  std::vector<std::vector<double>> result;
  const std::regex which(element), number("-?[0-9.]+");
  for (std::sregex_iterator at(svg.begin(), svg.end(), which); at != std::sregex_iterator(); ++at) {
    const std::string text = (*at)[1];
    result.emplace_back();
    for (std::sregex_iterator n(text.begin(), text.end(), number); n != std::sregex_iterator(); ++n)
      result.back().push_back(std::stod(n->str()));
  }
  return result;
}

/// The strokes of a colour as lists x, y, x, y, ...
std::vector<std::vector<double>> strokes(const std::string& svg, const std::string& colour) {
  return numbers(svg, "<path [^>]*stroke=\"" + colour + "\"[^>]* d=\"([^\"]*)\"");
}

Points dot(double x, double y, Colour colour) {
  Points result = points({x}, {y});
  result.colour = colour;
  result.opacity = 1;
  result.size = 6;
  return result;
}

/// Three dots of three colours in a panel with given ranges.
Figure three_dots(bool log) {
  Figure figure = log ? figure_of({dot(1, 1, Colour::primary), dot(10, 100, Colour::secondary),
                                   dot(100, 10000, Colour::tertiary)})
                      : figure_of({dot(2, 1, Colour::primary), dot(5, 4, Colour::secondary),
                                   dot(8, 7, Colour::tertiary)});
  Panel& panel = figure.panels[0];
  panel.log_x = panel.log_y = log;
  panel.x_range = log ? Range{0.1, 1000} : Range{0, 10};
  panel.y_range = log ? Range{0.1, 1e5} : Range{0, 10};
  return figure;
}

TEST(Marks, StandAtEqualDistancesWhereTheirValuesDo) {
  const TemporaryFolder folder;
  for (const bool log : {false, true}) {
    render(three_dots(log), folder.file("dots.png"));
    const Pixels pixels(folder.file("dots.png"));
    EXPECT_EQ(pixels.width(), 960);
    EXPECT_EQ(pixels.height(), 640);
    const Centre first = pixels.centre_of(0x0072B2), second = pixels.centre_of(0xD55E00),
                 third = pixels.centre_of(0x009E73);
    // A disc of 12 pixels has 113; those at its edge are mixed with the background.
    for (const Centre& dot : {first, second, third}) EXPECT_NEAR(dot.count, 100, 20);
    EXPECT_NEAR(second.x - first.x, third.x - second.x, 0.6);
    EXPECT_NEAR(second.y - first.y, third.y - second.y, 0.6);
    EXPECT_LT(first.x, second.x);
    EXPECT_GT(first.y, second.y);
  }
}

TEST(Marks, StandAtTheSamePlaceInPixelsAndInSvg) {
  const TemporaryFolder folder;
  render(three_dots(false), folder.file("dots.png"));
  const Pixels pixels(folder.file("dots.png"));
  const std::string svg = render_svg(three_dots(false), "");
  for (const auto& [colour, name] : {std::pair<std::uint32_t, std::string>{0x0072B2, "#0072b2"},
                                     {0xD55E00, "#d55e00"},
                                     {0x009E73, "#009e73"}}) {
    const auto place = numbers(svg, "<g fill=\"" + name + "\">\\s*<circle cx=(\"[^\"]*\" cy=\"[^\"]*\")");
    ASSERT_EQ(place.size(), 1U);
    EXPECT_NEAR(pixels.centre_of(colour).x, 2 * place[0][0], 0.3);
    EXPECT_NEAR(pixels.centre_of(colour).y, 2 * place[0][1], 0.3);
  }
}

TEST(Marks, LieOnTheGridLineOfTheirNumber) {
  Figure figure = three_dots(false);
  const std::string svg = render_svg(figure, "");
  const auto grid = strokes(svg, "#e4e4e4").at(0);
  const auto dot = numbers(svg, "<g fill=\"#0072b2\">\\s*<circle cx=(\"[^\"]*\" cy=\"[^\"]*\")").at(0);
  // The number 2 of the x axis stands in the middle under its grid line, and that goes through the dot at x
  // = 2.
  const auto two =
      numbers(svg, "<text x=(\"[^\"]*\") y=\"[^\"]*\" text-anchor=\"middle\" [^>]*>2</text>").at(0);
  EXPECT_NEAR(two[0], dot[0], 0.02);
  EXPECT_NE(std::find(grid.begin(), grid.end(), dot[0]), grid.end());
}

TEST(Marks, OfAMarkerCrossTheWholePanelThroughItsValue) {
  Figure figure = three_dots(false);
  Marker vertical, level;
  vertical.value = 5;
  level.value = 4;
  level.vertical = false;
  figure.panels[0].layers.emplace_back(vertical);
  figure.panels[0].layers.emplace_back(level);
  const std::string svg = render_svg(figure, "");
  const auto lines = strokes(svg, "#808080");
  const auto axes = strokes(svg, "#595959").at(0);  // down the left side, then along the bottom
  const auto dot = numbers(svg, "<g fill=\"#d55e00\">\\s*<circle cx=(\"[^\"]*\" cy=\"[^\"]*\")").at(0);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], (std::vector<double>{dot[0], axes[3], dot[0], axes[1]}));
  EXPECT_EQ(lines[1], (std::vector<double>{axes[0], dot[1], axes[4], dot[1]}));
}

TEST(Marks, EndAtTheAxes) {
  Figure figure = figure_of({line({-1e30, 0, 10, 20}, {5, 5, 5, 1e200}), points({-1, 5, 11}, {5, 11, 5})});
  Band band;
  band.x = {-5, 15};
  band.lower = {-1e250, 2};
  band.upper = {20, 20};
  Histogram bars;
  bars.x = {-1, 9.9, 50};
  bars.y = {100, 3, 3};
  bars.width = {4, 4, 4};
  bars.colour = Colour::tertiary;
  figure.panels[0].layers.emplace_back(band);
  figure.panels[0].layers.emplace_back(bars);
  figure.panels[0].x_range = figure.panels[0].y_range = Range{0, 10};
  const std::string svg = render_svg(figure, "");
  const auto axes = strokes(svg, "#595959").at(0);
  const double left = axes[0], top = axes[1], bottom = axes[3], right = axes[4];
  auto all = strokes(svg, "#0072b2");
  const std::size_t lines = all.size();
  for (const char* fill : {"#0072b2", "#009e73"})
    for (const auto& area : numbers(svg, std::string("<path fill=\"") + fill + "\"[^>]* d=\"([^\"]*)\""))
      all.push_back(area);
  ASSERT_EQ(lines, 1U);
  ASSERT_EQ(all.size(), 3U);
  for (const auto& path : all) {
    for (std::size_t i = 0; i + 1 < path.size(); i += 2) {
      EXPECT_GE(path[i], left);
      EXPECT_LE(path[i], right);
      EXPECT_GE(path[i + 1], top);
      EXPECT_LE(path[i + 1], bottom);
    }
  }
  EXPECT_EQ(svg.find("<circle"), std::string::npos);
  // The level piece of the line spans the panel, and its way up follows the right side.
  EXPECT_EQ(all[0][0], left);
  EXPECT_NEAR(all[0][1], (top + bottom) / 2, 0.02);
  EXPECT_EQ(all[0][all[0].size() - 2], right);
}

TEST(Marks, OfBarsReachFromZeroToTheirValue) {
  Histogram bars;
  bars.x = {2, 7};
  bars.y = {5, -5};
  bars.width = {2, 2};
  Figure figure = figure_of({bars});
  figure.panels[0].x_range = Range{0, 10};
  figure.panels[0].y_range = Range{-10, 10};
  const std::string svg = render_svg(figure, "");
  const auto axes = strokes(svg, "#595959").at(0);
  const auto area = numbers(svg, "<path fill=\"#0072b2\"[^>]* d=\"([^\"]*)\"").at(0);
  ASSERT_EQ(area.size(), 16U);
  const double middle = (axes[1] + axes[3]) / 2, quarter = (axes[3] - axes[1]) / 4,
               unit = (axes[4] - axes[0]) / 10;
  const auto ends = [&](std::size_t bar, std::size_t coordinate) {
    std::vector<double> values;
    for (std::size_t i = 8 * bar + coordinate; i < 8 * bar + 8; i += 2) values.push_back(area[i]);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return std::pair{*least, *most};
  };
  EXPECT_NEAR(ends(0, 1).first, middle - quarter, 0.02);
  EXPECT_NEAR(ends(0, 1).second, middle, 0.02);
  EXPECT_NEAR(ends(1, 1).first, middle, 0.02);
  EXPECT_NEAR(ends(1, 1).second, middle + quarter, 0.02);
  EXPECT_NEAR(ends(0, 0).first, axes[0] + unit, style::bar_gap);
  EXPECT_NEAR(ends(0, 0).second, axes[0] + 3 * unit, style::bar_gap);
}

// The advance widths of Helvetica, from Adobe's font metrics, which Liberation Sans has as well.
TEST(Text, HasTheWidthsOfTheFont) {
  EXPECT_NEAR(width_of({"0123456789"}, 10), 55.6, 0.2);
  EXPECT_NEAR(width_of({"iiii"}, 10), 4 * 2.22, 0.1);
  EXPECT_NEAR(width_of({"WWWW"}, 10), 4 * 9.44, 0.1);
  EXPECT_NEAR(width_of({"10", "10"}, 10), 1.7 * 11.12, 0.1);
  EXPECT_EQ(width_of({""}, 10), 0);
  EXPECT_NEAR(width_of({"scale"}, 20), 2 * width_of({"scale"}, 10), 0.01);
}

TEST(Text, OfNumbersStaysInsideTheFigure) {
  Figure figure = figure_of({line({0, 1}, {-0.00001234, 0.00001})});
  figure.width = 200;
  const std::string svg = render_svg(figure, "");
  const auto numbers_at = numbers(svg, "<text x=(\"[^\"]*\") y=\"[^\"]*\" text-anchor=\"end\"");
  ASSERT_GT(numbers_at.size(), 2U);
  for (const auto& at : numbers_at)
    EXPECT_GE(at[0] - width_of({"\u22121.0\u00d710", "\u22125"}, 9), style::edge - 0.5);
}

TEST(Text, OfALegendDoesNotRunIntoTheNextEntry) {
  std::vector<Layer> layers;
  for (const char* label :
       {"i", "a rather long label of a line", "WWWWWWWWWW", "short", "the last of the labels"})
    layers.emplace_back(line({0, 1}, {0, 1}, label));
  for (const double width : {150.0, 300.0, 480.0, 900.0}) {
    Figure figure = figure_of(layers);
    figure.width = width;
    const std::string svg = render_svg(figure, "");
    std::map<double, std::vector<std::pair<double, double>>> rows;  // y to [from, to]
    for (const Layer& layer : layers) {
      const std::string label = std::get<Line>(layer).label;
      const auto at = numbers(svg, "<text x=(\"[^\"]*\" y=\"[^\"]*)\"[^>]*>" + label + "</text>").at(0);
      rows[at[1]].emplace_back(at[0], at[0] + width_of({label}, 9));
    }
    EXPECT_LE(rows.size(), width > 500 ? 1U : width > 250 ? 3U : 5U) << width;
    for (auto& [y, entries] : rows) {
      std::sort(entries.begin(), entries.end());
      for (std::size_t i = 1; i < entries.size(); ++i)
        EXPECT_GT(entries[i].first, entries[i - 1].second + 18) << width;
      if (entries.size() > 1) {
        EXPECT_LE(entries.back().second, width) << width;
      }
    }
  }
}

}  // namespace
}  // namespace linkgistic

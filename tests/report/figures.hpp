// Small figures for tests, and what is read from their files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/figure/figure.hpp"

namespace linkgistic {

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

inline Line line(std::vector<double> x, std::vector<double> y, std::string label = "") {
  Line result;
  result.label = std::move(label);
  result.x = std::move(x);
  result.y = std::move(y);
  return result;
}

inline Points points(std::vector<double> x, std::vector<double> y) {
  Points result;
  result.x = std::move(x);
  result.y = std::move(y);
  return result;
}

inline Figure figure_of(std::vector<Layer> layers) {
  Panel panel;
  panel.layers = std::move(layers);
  Figure figure;
  figure.panels = {panel};
  return figure;
}

/// All layers, two rows that share x, every kind of label.
inline Figure full_figure() {
  Band band;
  band.label = "the band";
  band.x = {1, 2, 3};
  band.lower = {0, 1, 2};
  band.upper = {2, 3, 4};
  Points cloud = points({1, 2, 3}, {1.5, 2.5, 2});
  cloud.label = "the points";
  Marker marker;
  marker.label = "the marker";
  marker.value = 2;
  Histogram bars;
  bars.label = "the bars";
  bars.x = {1, 2, 3};
  bars.y = {5, 7, 6};
  bars.width = {1, 1, 1};
  Figure figure = figure_of({band, cloud, line({1, 2, 3}, {1, 2, 3}, "the line"), marker});
  figure.title = "the figure";
  figure.panels[0].title = "upper panel";
  figure.panels[0].y_label = "upper y";
  Panel lower;
  lower.title = "lower panel";
  lower.x_label = "lower x";
  lower.y_label = "lower y";
  lower.layers = {bars};
  lower.legend = Legend::bottom_right;
  figure.panels.push_back(lower);
  figure.share_x = true;
  return figure;
}

}  // namespace linkgistic

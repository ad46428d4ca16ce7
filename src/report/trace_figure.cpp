#include "report/trace_figure.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace linkgistic {
namespace {

// From the lower quartile to the best value, each with a margin: first tries may be absurdly bad.
Range shown_range(std::span<const double> values) {
  std::vector<double> sorted;
  for (const double value : values) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  if (sorted.empty()) return {0, 1};
  std::sort(sorted.begin(), sorted.end());
  const double top = sorted.back();
  const double bottom = sorted.size() < 8 ? sorted.front() : sorted[sorted.size() / 4];
  const double margin = std::max(0.08 * (top - bottom), 1e-6 * std::max(1.0, std::abs(top)));
  return {bottom - margin, top + margin};
}

}  // namespace

Figure trace_figure(std::span<const double> values, const std::string& step, const std::string& objective) {
  Line line;
  for (std::size_t i = 0; i < values.size(); ++i) {
    line.x.push_back(static_cast<double>(i + 1));
    line.y.push_back(values[i]);
  }
  Panel panel;
  panel.x_label = step;
  panel.y_label = objective;
  panel.legend = Legend::none;
  panel.y_range = shown_range(values);
  panel.layers.emplace_back(Points{"", line.x, line.y, Colour::primary, 4, 1});
  panel.layers.emplace_back(std::move(line));
  Figure figure;
  figure.height = 240;
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace linkgistic

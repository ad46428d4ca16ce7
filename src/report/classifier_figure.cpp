#include "report/classifier_figure.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/logistic.hpp"
#include "report/classifier_text.hpp"
#include "response/base_loss.hpp"

namespace linkgistic {
namespace {

constexpr int link_grid_points = 301;
constexpr std::size_t most_panels = 12;

std::vector<double> responses(const BaseLoss& base, std::vector<double> nu) {
  for (double& value : nu) value = sigmoid(base.log_odds(value));
  return nu;
}

// Of a softmax nu itself: its probabilities depend on all scores.
Panel softmax_panel(const FittedLinkgisticClassifier& fit, std::size_t score) {
  const ClassSummary& summary = fit.summary().classes[score];
  const std::vector<double> grid = score_grid(summary, link_grid_points);
  const auto curve = fit.link(score, grid);
  Panel panel;
  panel.x_label = "score of " + summary.name;
  panel.y_label = "nu";
  panel.legend = Legend::none;
  panel.layers.emplace_back(Band{"90 % of links", grid, curve.lower, curve.upper, Colour::primary, 0.3});
  panel.layers.emplace_back(Line{"straight", grid, grid, Colour::reference, 1.2, Dash::dashed});
  panel.layers.emplace_back(Line{"learned", grid, curve.nu, Colour::primary, 1.8});
  return panel;
}

Panel link_panel(const FittedLinkgisticClassifier& fit, std::size_t score, bool alone) {
  const BaseLoss base(fit.options().loss);
  const ClassSummary& summary = fit.summary().classes[score];
  const std::vector<double> grid = score_grid(summary, link_grid_points);
  const auto curve = fit.link(score, grid);
  Panel panel;
  panel.x_label = "score";
  panel.y_label = "P(" + summary.name + ")";
  panel.y_range = Range{-0.02, 1.02};
  if (!alone) panel.legend = Legend::none;
  panel.layers.emplace_back(Band{"90 % of links", grid, responses(base, curve.lower),
                                 responses(base, curve.upper), Colour::primary, 0.3});
  panel.layers.emplace_back(Line{fit.options().loss == "log" ? "logistic" : "inverse link of the base loss",
                                 grid, responses(base, grid), Colour::reference, 1.2, Dash::dashed});
  panel.layers.emplace_back(Line{"learned", grid, responses(base, curve.nu), Colour::primary, 1.8});
  return panel;
}

}  // namespace

Figure link_figure(const FittedLinkgisticClassifier& fit) {
  const std::size_t scores = std::min(fit.summary().classes.size(), most_panels);
  Figure figure;
  const bool softmax = fit.summary().softmax;
  for (std::size_t k = 0; k < scores; ++k)
    figure.panels.push_back(softmax ? softmax_panel(fit, k) : link_panel(fit, k, scores == 1));
  if (scores == 1) return figure;
  const std::string level = fit.has_bands() ? " but for their common level" : "";  // of the bands
  figure.title = softmax ? "Links: learned with 90 % band" + level + ", and straight (dashed)"
                         : "Inverse links: learned with 90 % band, and the base's (dashed)";
  figure.columns = scores <= 4 ? 2 : 3;
  const auto columns = static_cast<std::size_t>(figure.columns);
  figure.width = 240.0 * figure.columns;
  const std::size_t lines = (scores + columns - 1) / columns;
  figure.height = 40 + 170.0 * static_cast<double>(lines);
  return figure;
}

}  // namespace linkgistic

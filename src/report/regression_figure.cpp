#include "report/regression_figure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <linkgistic/error.hpp>

#include "numeric/interpolate.hpp"
#include "regression/fit.hpp"
#include "regression/shape.hpp"
#include "report/response_words.hpp"
#include "report/words.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t curve_grid_points = 401;
constexpr double interval = 0.9;

// Evenly spaced over training data and rows; one x has half a unit on either side.
std::vector<double> make_grid(const RegressionSummary& summary, const RowsForPlot& rows) {
  double lower = summary.x_lower, upper = summary.x_upper;
  for (const double x : rows.x) {
    lower = std::min(lower, x);
    upper = std::max(upper, x);
  }
  if (lower == upper) {
    lower -= 0.5;
    upper += 0.5;
  }
  return evenly_spaced(lower, upper, curve_grid_points);
}

Panel curve_panel(const FittedMonotoneRegression& fit, const RowsForPlot& rows,
                  const std::vector<double>& grid) {
  const Prediction p = fit.predict(grid, interval);
  Panel panel;
  panel.y_label = mean_words(fit);
  if (!observes_labels(fit)) {
    panel.layers.emplace_back(
        Band{"90 % of observations", grid, p.obs_lower, p.obs_upper, Colour::reference, 0.18});
  }
  if (!rows.x.empty()) panel.layers.emplace_back(Points{"data", rows.x, rows.y});
  panel.layers.emplace_back(Band{"90 % of curves", grid, p.lower, p.upper, Colour::primary, 0.35});
  panel.layers.emplace_back(Line{"fit", grid, p.estimate, Colour::primary, 1.8});
  return panel;
}

Panel small_panel(const std::string& label, const std::vector<double>& grid, const Curve& curve,
                  Colour colour) {
  Panel panel;
  panel.y_label = label;
  panel.legend = Legend::none;
  panel.layers.emplace_back(Band{"", grid, curve.lower, curve.upper, colour, 0.25});
  panel.layers.emplace_back(Marker{"", 0, false});
  panel.layers.emplace_back(Line{"", grid, curve.estimate, colour, 1.5});
  return panel;
}

// f^2 is the slope without its sign.
Curve without_sign(Curve slope, bool decreasing) {
  if (!decreasing) return slope;
  for (auto* values : {&slope.estimate, &slope.lower, &slope.upper}) {
    for (double& value : *values) value = -value;
  }
  std::swap(slope.lower, slope.upper);
  return slope;
}

bool all_positive(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v > 0; });
}

Panel profile_panel(const FittedMonotoneRegression& fit, const EvidenceProfile& profile) {
  const RegressionSummary& summary = fit.summary();
  const auto known = regression_hyper_parameter(fit, profile.name);
  constexpr double deepest = 20;  // of log evidence below the top: less than that is all the same
  Panel panel;
  panel.x_label = profile.name;
  panel.y_label = "log evidence";
  panel.legend = Legend::none;
  const bool is_size =
      known && (known->coordinate == Coordinate::log || known->coordinate == Coordinate::log_minus_one);
  panel.log_x = all_positive(profile.values) && is_size;
  std::vector<double> relative;
  relative.reserve(profile.log_evidence.size());
  double top = 0, bottom = 0;
  for (const double value : profile.log_evidence) {
    relative.push_back(value - summary.log_evidence);
    if (std::isfinite(relative.back())) {
      top = std::max(top, relative.back());
      bottom = std::min(bottom, relative.back());
    }
  }
  bottom = std::max(bottom, top - deepest);
  const double margin = 0.05 * std::max(top - bottom, 1e-3);
  panel.y_range = Range{bottom - margin, top + margin};
  panel.layers.emplace_back(Line{"", profile.values, relative, Colour::primary, 1.5});
  for (const auto& hyper : summary.hyper_parameters) {
    if (hyper.name == profile.name) panel.layers.emplace_back(Marker{"", hyper.value});
  }
  return panel;
}

}  // namespace

std::string x_name(const FittedMonotoneRegression& fit) { return column_of(fit, "x"); }
std::string y_name(const FittedMonotoneRegression& fit) { return column_of(fit, "y"); }

Figure regression_figure(const FittedMonotoneRegression& fit, const RowsForPlot& rows) {
  const std::vector<double> grid = make_grid(fit.summary(), rows);
  const bool decreasing = fit.summary().decreasing;
  const bool gp = fit.options().prior == PriorKind::gp;
  const bool curved = shape_of(fit.options()).curvature != 0;
  const Curve slope = fit.derivative(grid, interval);
  Figure figure = stacked({curve_panel(fit, rows, grid)}, {3, 1}, gp ? 400 : 480);
  if (gp) {
    figure.panels.push_back(small_panel("slope", grid, slope, Colour::tertiary));
  } else {
    figure.row_heights = {3, 1, 1};
    figure.panels.push_back(small_panel("f", grid, fit.latent(grid, interval), Colour::secondary));
    if (curved) {
      figure.panels.push_back(small_panel("slope", grid, slope, Colour::tertiary));
      figure.panels.back().x_label = x_name(fit);
      return figure;
    }
    figure.panels.push_back(small_panel(decreasing ? "f\u00B2 = -slope" : "f\u00B2 = slope", grid,
                                        without_sign(slope, decreasing), Colour::tertiary));
  }
  figure.panels.back().x_label = x_name(fit);
  return figure;
}

Figure evidence_figure(const FittedMonotoneRegression& fit) {
  if (fit.profiles().empty()) {
    throw UsageError(
        "the model has no evidence profiles: fit it with --profiles, and something left to learn");
  }
  Figure figure;
  figure.title = "Evidence around the fit (dashed), the other hyper-parameters held";
  figure.columns = fit.profiles().size() == 1 ? 1 : 2;
  const auto count = static_cast<int>(fit.profiles().size());
  const int panel_rows = (count + figure.columns - 1) / figure.columns;
  figure.height = 30 + 170.0 * panel_rows;
  for (const auto& profile : fit.profiles()) figure.panels.push_back(profile_panel(fit, profile));
  return figure;
}

}  // namespace linkgistic

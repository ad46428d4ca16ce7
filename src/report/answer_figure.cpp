#include "report/answer_figure.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/interpolate.hpp"
#include "report/response_words.hpp"

namespace linkgistic {

Figure answer_figure(const FittedMonotoneRegression& fit, const RowsForPlot& rows, const std::string& what,
                     const CurveAnswer& answer) {
  const RegressionSummary& s = fit.summary();
  const std::vector<double> grid = evenly_spaced(s.x_lower, s.x_upper, 401);
  const Prediction p = fit.predict(grid);
  Panel panel;
  panel.x_label = x_name(fit);
  panel.y_label = mean_words(fit);
  if (!rows.x.empty()) panel.layers.emplace_back(Points{"data", rows.x, rows.y});
  panel.layers.emplace_back(Band{"90 % of curves", grid, p.lower, p.upper, Colour::primary, 0.3});
  panel.layers.emplace_back(Line{"fit", grid, p.estimate, Colour::primary, 1.8});
  if (std::isfinite(answer.estimate)) {
    const double at[] = {answer.estimate};
    const double height = fit.estimate(at)[0];
    const double lower = std::isfinite(answer.lower) ? answer.lower : s.x_lower;
    const double upper = std::isfinite(answer.upper) ? answer.upper : s.x_upper;
    panel.layers.emplace_back(
        Marker{"estimate", answer.estimate, true, Colour::secondary, 1.4, Dash::dashed});
    panel.layers.emplace_back(Line{"interval", {lower, upper}, {height, height}, Colour::secondary, 3});
  }
  Figure figure = stacked({std::move(panel)}, {1}, 340);
  figure.title = what;
  return figure;
}

}  // namespace linkgistic

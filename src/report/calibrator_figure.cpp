#include "report/calibrator_figure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/interpolate.hpp"
#include "numeric/logistic.hpp"
#include "report/words.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t grid_points = 401;
constexpr std::size_t default_groups = 20;

std::vector<double> make_grid(const CalibratorSummary& s) {
  double lower = s.score_lower, upper = s.score_upper;
  // Not beyond probabilities that came: towards 0 and 1 their log odds have no end.
  const double margin = !(upper > lower)                         ? 0.5
                        : s.score_kind == ScoreKind::probability ? 0.0
                                                                 : 0.03 * (upper - lower);
  lower -= margin;
  upper += margin;
  if (s.score_kind == ScoreKind::probability) {
    lower = std::max(lower, 0.0);
    upper = std::min(upper, 1.0);
  }
  return evenly_spaced(lower, upper, grid_points);
}

// Mean finite score and share of positive labels in groups of equal weight.
Points grouped(const CalibrationRows& rows) {
  std::vector<std::size_t> order;
  double total = 0;
  const auto weight = [&](std::size_t i) { return rows.weight.empty() ? 1.0 : rows.weight[i]; };
  for (std::size_t i = 0; i < rows.score.size(); ++i) {
    if (!std::isfinite(rows.score[i]) || !(weight(i) > 0)) continue;
    order.push_back(i);
    total += weight(i);
  }
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rows.score[a] < rows.score[b]; });
  Points points;
  points.label = "share of positive labels";
  double before = 0, w = 0, score = 0, positive = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    w += weight(i);
    score += weight(i) * rows.score[i];
    positive += weight(i) * rows.label[i];
    if (k + 1 < order.size() &&
        (before + w) * default_groups < total * static_cast<double>(points.x.size() + 1))
      continue;
    points.x.push_back(score / w);
    points.y.push_back(positive / w);
    before += w;
    w = score = positive = 0;
  }
  return points;
}

}  // namespace

Figure calibrator_figure(const FittedMonotoneCalibrator& fit, const CalibrationRows& rows) {
  const std::vector<double> grid = make_grid(fit.summary());
  const CalibratedScores p = fit.predict(grid, 0.9);
  Panel probability;
  probability.y_label = "probability";
  probability.y_range = Range{-0.02, 1.02};
  probability.layers.emplace_back(Band{"90 % of maps", grid, p.lower, p.upper, Colour::primary, 0.3});
  if (!rows.score.empty()) probability.layers.emplace_back(grouped(rows));
  if (fit.summary().score_kind != ScoreKind::decision) {
    std::vector<double> claimed = fit.uncalibrated(grid);
    for (double& l : claimed) l = sigmoid(l);
    probability.layers.emplace_back(
        Line{"uncalibrated", grid, std::move(claimed), Colour::reference, 1, Dash::dashed});
  }
  probability.layers.emplace_back(Line{"calibrated", grid, p.probability, Colour::primary, 1.8});
  Panel odds;
  odds.y_label = "log odds";
  odds.legend = Legend::none;
  const auto logit = [](std::vector<double> v) {
    for (double& x : v) x = std::log(x) - std::log1p(-x);
    return v;
  };
  odds.layers.emplace_back(Band{"", grid, logit(p.lower), logit(p.upper), Colour::secondary, 0.3});
  odds.layers.emplace_back(Line{"", grid, p.log_odds, Colour::secondary, 1.5});
  odds.x_label = column_of(fit, "score");
  return stacked({std::move(probability), std::move(odds)}, {3, 2}, 440);
}

Figure calibrator_loss_figure(const FittedMonotoneCalibrator& fit) {
  std::vector<double> grid = make_grid(fit.summary());
  if (fit.summary().score_kind == ScoreKind::probability) {
    // Towards 0 and 1 the claimed loss has no end.
    std::erase_if(grid, [](double p) { return p < 0.005 || p > 0.995; });
  }
  const std::vector<double> odds = fit.log_odds(grid);
  const auto loss = [](std::vector<double> log_odds, double sign) {
    for (double& t : log_odds) t = softplus(sign * t);
    return log_odds;
  };
  Panel panel;
  panel.y_label = "loss";
  if (fit.summary().score_kind != ScoreKind::decision) {
    const std::vector<double> claimed = fit.uncalibrated(grid);
    panel.layers.emplace_back(
        Line{"uncalibrated", grid, loss(claimed, 1), Colour::reference, 1, Dash::dashed});
    panel.layers.emplace_back(Line{"", grid, loss(claimed, -1), Colour::reference, 1, Dash::dashed});
  }
  panel.layers.emplace_back(Line{"label 0", grid, loss(odds, 1), Colour::primary, 1.8});
  panel.layers.emplace_back(Line{"label 1", grid, loss(odds, -1), Colour::secondary, 1.8});
  Line weight{"", {}, {}, Colour::tertiary, 1.5};
  for (std::size_t i = 1; i + 1 < grid.size(); ++i) {
    const double slope = (odds[i + 1] - odds[i - 1]) / (grid[i + 1] - grid[i - 1]);
    weight.x.push_back(grid[i]);
    weight.y.push_back(sigmoid(odds[i]) * sigmoid(-odds[i]) * slope * slope);
  }
  Panel below;
  below.y_label = "weight";
  below.legend = Legend::none;
  below.log_y = true;
  below.layers.emplace_back(std::move(weight));
  below.x_label = column_of(fit, "score");
  return stacked({std::move(panel), std::move(below)}, {3, 2}, 440);
}

}  // namespace linkgistic

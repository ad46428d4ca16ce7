#include "report/learned_loss_figure.hpp"

#include <algorithm>
#include <utility>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

constexpr int loss_grid_points = 401;

template <class F>
std::vector<double> map(const std::vector<double>& x, F&& f) {
  std::vector<double> y(x.size());
  std::transform(x.begin(), x.end(), y.begin(), f);
  return y;
}

/// The base under a straight source nu = nu(x0) + slope (x - x0): what the prior shrinks to. x0 and the slope
/// are the middle of the range and the mean slope over it.
struct Straight {
  LearnedLoss base;
  double middle, level, slope;

  explicit Straight(const LearnedLoss& loss)
      : base(LearnedLoss::canonical(loss.base())), middle((loss.score_lower() + loss.score_upper()) / 2) {
    const double lower = loss.source(loss.score_lower()).value;
    const double upper = loss.source(loss.score_upper()).value;
    level = (lower + upper) / 2;
    slope = (upper - lower) / (loss.score_upper() - loss.score_lower());
  }
  [[nodiscard]] double nu(double x) const { return level + slope * (x - middle); }
};

Panel loss_panel(const LearnedLoss& loss, const std::vector<double>& x) {
  const Straight straight(loss);
  Panel panel;
  panel.y_label = "loss";
  for (const int y : {1, 0}) {
    const Colour colour = y == 1 ? Colour::primary : Colour::secondary;
    const std::string label = y == 1 ? "label 1" : "label 0";
    panel.layers.emplace_back(
        Line{y == 1 ? loss.base() + " loss, straight source" : "", x,
             map(x, [&](double s) { return straight.base.at(y, straight.nu(s)).value; }), Colour::reference,
             1, Dash::dashed});
    panel.layers.emplace_back(
        Line{label, x, map(x, [&](double s) { return loss.at(y, s).value; }), colour, 1.8});
  }
  return panel;
}

Panel link_panel(const LearnedLoss& loss, const std::vector<double>& x, const SourceBand& band) {
  const Straight straight(loss);
  const auto probability = [&](double nu) { return straight.base.inverse_link(nu); };
  Panel panel;
  panel.y_label = "probability of label 1";
  panel.y_range = Range{0, 1};
  if (!band.score.empty())
    panel.layers.emplace_back(Band{"90 % of links", band.score, map(band.lower, probability),
                                   map(band.upper, probability), Colour::primary, 0.3});
  panel.layers.emplace_back(Line{"straight source", x,
                                 map(x, [&](double s) { return probability(straight.nu(s)); }),
                                 Colour::reference, 1, Dash::dashed});
  panel.layers.emplace_back(
      Line{"learned link", x, map(x, [&](double s) { return loss.inverse_link(s); }), Colour::primary, 1.8});
  return panel;
}

std::vector<Panel> source_panels(const LearnedLoss& loss, const std::vector<double>& x,
                                 const SourceBand& band) {
  const Straight straight(loss);
  Panel source;
  source.y_label = "source";
  if (!band.score.empty())
    source.layers.emplace_back(
        Band{"90 % of sources", band.score, band.lower, band.upper, Colour::primary, 0.3});
  source.layers.emplace_back(Line{"straight", x, map(x, [&](double s) { return straight.nu(s); }),
                                  Colour::reference, 1, Dash::dashed});
  source.layers.emplace_back(
      Line{"learned", x, map(x, [&](double s) { return loss.source(s).value; }), Colour::primary, 1.8});
  Panel slope;
  slope.y_label = "slope";
  slope.legend = Legend::none;
  slope.layers.emplace_back(Marker{"", straight.slope, false});
  slope.layers.emplace_back(
      Line{"", x, map(x, [&](double s) { return loss.source(s).first; }), Colour::tertiary, 1.5});
  return {std::move(source), std::move(slope)};
}

std::vector<Panel> weight_panels(const LearnedLoss& loss) {
  constexpr double edge = 0.01;
  std::vector<double> u;
  for (int i = 0; i < loss_grid_points; ++i) u.push_back(edge + (1 - 2 * edge) * i / (loss_grid_points - 1));
  const auto panel = [&](const char* label, Colour colour, const auto& f) {
    Panel result;
    result.y_label = label;
    result.legend = Legend::none;
    result.log_y = true;
    result.layers.emplace_back(Line{"", u, map(u, f), colour, 1.8});
    return result;
  };
  return {panel("weight", Colour::primary, [&](double p) { return loss.weight(p); }),
          panel("slope of the link", Colour::secondary,
                [&](double p) { return loss.weight(p) / loss.source(loss.link(p)).first; })};
}

}  // namespace

std::vector<double> scores_to_draw(const LearnedLoss& loss) {
  const double margin = 0.1 * (loss.score_upper() - loss.score_lower());
  const double lower = loss.score_lower() - margin;
  const double upper = loss.score_upper() + margin;
  std::vector<double> x;
  for (int i = 0; i < loss_grid_points; ++i)
    x.push_back(lower + (upper - lower) * i / (loss_grid_points - 1));
  return x;
}

SourceBand source_band(const FittedLinkgisticClassifier& fit, std::size_t score, const LearnedLoss& loss) {
  SourceBand band{scores_to_draw(loss), {}, {}};
  auto curve = fit.link(score, band.score);
  if (curve.lower == curve.upper) return {};
  band.lower = std::move(curve.lower);
  band.upper = std::move(curve.upper);
  return band;
}

Figure learned_loss_figure(const LearnedLoss& loss, const std::string& what, const SourceBand& band,
                           const std::string& score_name, const std::string& title) {
  const std::vector<double> x = scores_to_draw(loss);
  Figure figure;
  figure.title = title;
  if (what == "loss") {
    figure.panels = {loss_panel(loss, x)};
  } else if (what == "link") {
    figure.panels = {link_panel(loss, x, band)};
  } else if (what == "source") {
    figure.panels = source_panels(loss, x, band);
  } else if (what == "weight") {
    if (!loss.increasing())
      throw UsageError("weight: the source is not increasing and its link has no slope");
    figure.panels = weight_panels(loss);
  } else {
    throw UsageError("what = " + what + ": it must be loss, link, source or weight");
  }
  if (figure.panels.size() == 2) {
    figure.height = 420;
    figure.share_x = true;
    figure.row_heights = {what == "source" ? 2.0 : 1.0, 1.0};
  }
  figure.panels.back().x_label = what == "weight" ? "probability" : score_name;
  return figure;
}

}  // namespace linkgistic

#include "report/class_loss_figure.hpp"

#include <algorithm>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

constexpr int class_grid_points = 301;
constexpr Colour class_colours[] = {Colour::primary,    Colour::secondary, Colour::tertiary,
                                    Colour::quaternary, Colour::quinary,   Colour::senary};

struct ClassCurve {
  std::vector<double> x, y;
};

Line class_line(const LearnedClassLoss& loss, std::size_t k, const ClassCurve& curve) {
  const bool named = k < std::size(class_colours);
  return {named ? loss.class_names()[k] : "",
          curve.x,
          curve.y,
          named ? class_colours[k] : Colour::data,
          named ? 1.6 : 0.6,
          Dash::solid,
          named ? 1 : 0.5};
}

// nu_k at scores of its range, less its value in the middle; of `bend` less the line of its mean slope too.
ClassCurve link_curve(const LearnedClassLoss& loss, std::size_t k, bool bend) {
  const double middle = (loss.score_lower(k) + loss.score_upper(k)) / 2;
  const double half = (loss.score_upper(k) - loss.score_lower(k)) / 2;
  const double centre = loss.source(k, middle).value;
  const double slope =
      bend ? (loss.source(k, middle + half).value - loss.source(k, middle - half).value) / (2 * half) : 0;
  ClassCurve curve;
  for (int i = 0; i < class_grid_points; ++i) {
    const double at = half * (2.0 * i / (class_grid_points - 1) - 1);
    curve.x.push_back(at);
    curve.y.push_back(loss.source(k, middle + at).value - centre - slope * at);
  }
  return curve;
}

Panel class_links_panel(const LearnedClassLoss& loss, bool bend) {
  Panel panel;
  panel.x_label = "score about the middle of its class";
  panel.y_label = bend ? "nu less its line" : "nu";
  const std::size_t classes = loss.class_names().size();
  ClassCurve mean;
  for (std::size_t k = 0; k < classes; ++k) {
    const ClassCurve curve = link_curve(loss, k, bend);
    panel.layers.emplace_back(class_line(loss, k, curve));
    mean.x.resize(curve.x.size());
    mean.y.resize(curve.y.size());
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      mean.x[i] += curve.x[i] / static_cast<double>(classes);
      mean.y[i] += curve.y[i] / static_cast<double>(classes);
    }
  }
  panel.layers.emplace_back(Line{"mean", mean.x, mean.y, Colour::reference, 2.4, Dash::dashed});
  return panel;
}

Panel class_loss_panel(const LearnedClassLoss& loss) {
  Panel panel;
  panel.x_label = "score of the class, the others where all are as probable";
  panel.y_label = "loss";
  const std::size_t classes = loss.class_names().size();
  const std::vector<double> even = loss.link(std::vector<double>(classes, 1 / static_cast<double>(classes)));
  for (std::size_t k = 0; k < classes; ++k) {
    ClassCurve curve;
    const std::int32_t label = static_cast<std::int32_t>(k);
    for (int i = 0; i < class_grid_points; ++i) {
      std::vector<double> scores = even;
      scores[k] =
          loss.score_lower(k) + (loss.score_upper(k) - loss.score_lower(k)) * i / (class_grid_points - 1);
      double value = 0;
      loss.at(std::span(&label, 1), scores, std::span(&value, 1), {}, {});
      curve.x.push_back(scores[k]);
      curve.y.push_back(value);
    }
    panel.layers.emplace_back(class_line(loss, k, curve));
  }
  return panel;
}

}  // namespace

Figure class_loss_figure(const LearnedClassLoss& loss, const std::string& what) {
  Figure figure;
  if (what == "link") {
    figure.panels = {class_links_panel(loss, true)};
  } else if (what == "source") {
    figure.panels = {class_links_panel(loss, false)};
  } else if (what == "loss") {
    figure.panels = {class_loss_panel(loss)};
  } else {
    throw UsageError("what = " + what + ": a loss of many classes has loss, link and source");
  }
  return figure;
}

}  // namespace linkgistic

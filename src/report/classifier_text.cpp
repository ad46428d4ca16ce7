#include "report/classifier_text.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "classification/fitted.hpp"
#include "classification/names.hpp"
#include "numeric/interpolate.hpp"
#include "numeric/logistic.hpp"
#include "report/words.hpp"
#include "response/base_loss.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t most_features = 50, most_scores = 10;

std::string prior_words(const FittedLinkgisticClassifier& fit) {
  const LinkgisticOptions& o = fit.options();
  const ClassifierSummary& s = fit.summary();
  std::string text = name_of(link_prior_names(), o.prior);
  if (o.prior == LinkPrior::none) return text + ": the link is held, as in logistic regression";
  if (o.basis == BasisKind::nystrom) {
    text += ", " + std::to_string(2 * o.harmonics) + " Gaussian kernels";
  } else {
    text += ", " + std::to_string(o.harmonics) + (o.harmonics == 1 ? " harmonic" : " harmonics");
  }
  if (o.origin == Origin::shifted) text += " from a shifted origin";
  if (o.prior == LinkPrior::offset) {
    text += ", v = " + number(s.v);
    if (s.softmax) text += " a class and " + number(s.v_shared) + " shared";
    if (s.v_chosen) text += " (chosen)";
    if (s.v + s.v_shared == 0)
      text += std::string(": the link is the identity, as in ") +
              (s.softmax ? "multinomial logistic regression" : "logistic regression");
  }
  return text;
}

std::string class_words(const FittedLinkgisticClassifier& fit) {
  constexpr std::size_t most = 12;
  const auto& names = fit.class_names();
  std::string text = std::to_string(names.size()) + ":";
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) text += (k == 0 ? " " : ", ") + names[k];
  if (names.size() > most) text += ", ...";
  if (names.size() == 2) return text + "; the probability is that of " + names[1];
  return text + (fit.summary().softmax    ? "; a softmax of their links"
                 : fit.summary().pairwise ? "; one against one"
                                          : "; one against the rest");
}

std::string more(std::size_t count, std::size_t shown, const char* what) {
  if (count <= shown) return "";
  return "  ... and " + std::to_string(count - shown) + " more " + what + " (show --json has all)\n";
}

}  // namespace

std::vector<double> score_grid(const ClassSummary& score, int points) {
  const double margin = score.score_upper > score.score_lower ? 0 : 1;
  return evenly_spaced(score.score_lower - margin, score.score_upper + margin,
                       static_cast<std::size_t>(points));
}

std::string how_l2_was_chosen(const FittedLinkgisticClassifier& fit) {
  if (!fit.summary().l2_chosen) return "";
  return fit.options().l2_by == RidgeChoiceBy::evidence ? " (chosen by its evidence)"
                                                        : " (chosen by cross-validation)";
}

std::string classifier_text(const FittedLinkgisticClassifier& fit) {
  const ClassifierSummary& s = fit.summary();
  const LinkgisticOptions& o = fit.options();
  const bool plain = o.prior == LinkPrior::none && o.loss == "log";
  std::string text = !plain      ? "Linkgistic regression"
                     : s.softmax ? "Multinomial logistic regression"
                                 : "Logistic regression";
  if (!fit.encoding().label.empty()) text += " of " + fit.encoding().label;
  text += o.prior == LinkPrior::gp ? " (gp: the link need not increase)\n" : "\n";
  text += line("prior", prior_words(fit));
  if (o.loss != "log") text += line("base loss", o.loss);
  std::string rows = std::to_string(s.rows);
  if (!fit.encoding().weights.empty()) rows += ", weighted by " + fit.encoding().weights;
  text += line("rows", rows);
  text += line("features", std::to_string(s.columns));
  text += line("classes", class_words(fit));
  text += line("l2", number(s.l2) + how_l2_was_chosen(fit));
  if (s.cross_fitted) text += line("links", "learned from held-out scores");
  text += line("search", s.stop + ", " + std::to_string(s.trace.empty() ? 0 : s.trace.size() - 1) +
                             (s.trace.size() == 2 ? " EM step" : " EM steps"));
  if (fit.link_test()) text += line("test of the link", link_test_words(fit));
  if (!s.posterior.empty()) text += line("posterior of links", s.posterior);
  text += "\n  " + padded("EM step", 10) + padded("objective", 14) + padded("log loss", 12) + "passes\n";
  for (const EmStep& e : s.trace) {
    text += "  " + padded(std::to_string(e.step), 10) + padded(number(e.objective), 14) +
            padded(number(e.mean_loss), 12) + std::to_string(e.passes) + "\n";
  }
  // The links of a softmax have one evidence, the objective above.
  text += "\n  " + padded("class", 16) + padded("weight", 10);
  if (!s.softmax) text += padded("log evidence", 14) + padded("eigenvalue", 12);
  text += padded("slope", 9) + "range of the score\n";
  for (const ClassSummary& c : s.classes) {
    text += "  " + padded(c.name, 16) + padded(number(c.weight), 10);
    if (!s.softmax) text += padded(number(c.log_evidence), 14) + padded(number(c.smallest_eigenvalue), 12);
    text += padded(number(c.slope), 9) + number(c.score_lower) + " to " + number(c.score_upper) + "\n";
  }
  return text;
}

std::vector<std::vector<std::pair<std::string, double>>> link_hyper_parameters(
    const FittedLinkgisticClassifier& fit) {
  const auto& classes = fit.summary().classes;
  std::vector<std::vector<std::pair<std::string, double>>> result(classes.size());
  const auto prior = link_hyper(fit.options(), fit.summary().v + fit.summary().v_shared, BaseLoss::log());
  if (!prior) return result;
  const LinkFamily family(*prior);
  const auto links = nlohmann::json::parse(fit.to_json()).at("links");
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (!links.at(k).is_object() || !links.at(k).contains("theta")) continue;
    const auto theta = links[k].at("theta").get<std::vector<double>>();
    result[k] = family.hyper(Eigen::Map<const Vector>(theta.data(), static_cast<Index>(theta.size())),
                             {links[k].at("lower").get<double>(), links[k].at("upper").get<double>()});
  }
  return result;
}

std::string hyper_text(const FittedLinkgisticClassifier& fit) {
  const auto hyper = link_hyper_parameters(fit);
  const std::size_t scores = std::min(hyper.size(), most_scores);
  std::string text;
  for (std::size_t k = 0; k < scores; ++k) {
    if (hyper[k].empty()) continue;
    text += "\n  hyper-parameters of " + fit.summary().classes[k].name + ":";
    for (const auto& [name, value] : hyper[k])
      text += (name == hyper[k].front().first ? " " : ", ") + name + " = " + number(value);
  }
  return text.empty() ? text : text + "\n" + more(hyper.size(), scores, "classes");
}

std::string coefficient_text(const FittedLinkgisticClassifier& fit) {
  const auto& names = fit.feature_names();
  const auto& classes = fit.summary().classes;
  const std::vector<double> beta = fit.coefficients();
  const std::size_t shown = std::min(names.size(), most_features);
  const std::size_t scores = std::min(classes.size(), most_scores);
  std::size_t width = 16, column = 12;
  for (std::size_t k = 0; fit.summary().pairwise && k < scores; ++k)
    column = std::max(column, classes[k].name.size() + 2);
  for (std::size_t j = 0; j < shown; ++j) width = std::max(width, names[j].size() + 2);
  std::string text = "\n  " + padded("coefficient", width);
  for (std::size_t k = 0; k < scores; ++k) text += padded(classes[k].name, column);
  text += "\n";
  for (std::size_t j = 0; j <= shown; ++j) {
    text += "  " + padded(j == 0 ? "(intercept)" : names[j - 1], width);
    for (std::size_t k = 0; k < scores; ++k) text += padded(number(beta[k * (names.size() + 1) + j]), column);
    text += "\n";
  }
  return text + more(names.size(), shown, "features") + more(classes.size(), scores, "classes");
}

std::string inference_text(const FittedLinkgisticClassifier& fit, bool robust) {
  const CoefficientTable table = fit.coefficient_table(0.95, robust);
  if (table.rows.empty()) return "";
  std::size_t width = 16;
  const std::size_t shown = std::min(table.rows.size(), most_features + 1);
  for (std::size_t j = 0; j < shown; ++j) width = std::max(width, table.rows[j].name.size() + 2);
  std::string text = robust ? "\n  confidence (sandwich errors)" : "\n  posterior";
  text +=
      " of the coefficients, in the units of the columns, at unit mean slope of the link; 95 % intervals; "
      "effect: "
      "mean of dp/dx\n  " +
      padded("coefficient", width);
  for (const char* head : {"estimate", "error", "z", "p", "lower", "upper"}) text += padded(head, 11);
  if (table.logit) text += padded("odds ratio", 12);
  for (const char* head : {"effect", "lower", "upper"}) text += padded(head, 11);
  text += "\n";
  for (std::size_t j = 0; j < shown; ++j) {
    const Coefficient& c = table.rows[j];
    text += "  " + padded(c.name, width);
    for (const double value : {c.estimate, c.error, c.z, c.p_value, c.lower, c.upper})
      text += padded(number(value), 11);
    if (table.logit) text += padded(j > 0 ? number(std::exp(c.estimate)) : "", 12);
    if (j > 0)
      for (const double value : {c.effect, c.effect_lower, c.effect_upper}) text += padded(number(value), 11);
    text += "\n";
  }
  return text + more(table.rows.size() - 1, shown - 1, "features");
}

std::string link_text(const FittedLinkgisticClassifier& fit) {
  constexpr int points = 9;
  const auto& classes = fit.summary().classes;
  const BaseLoss base(fit.options().loss);
  const bool softmax = fit.summary().softmax;  // a probability then depends on all scores
  const std::size_t scores = std::min(classes.size(), most_scores);
  std::string text;
  if (softmax && fit.has_bands())
    text +=
        "\n  bands of links: without the level that is added to all of them, which changes no probability\n";
  for (std::size_t k = 0; k < scores; ++k) {
    const std::vector<double> grid = score_grid(classes[k], points);
    const auto curve = fit.link(k, grid);
    text += "\n  link of " + classes[k].name + "\n  " + padded("score", 12) + padded("nu", 12) +
            padded("lower", 12) + padded("upper", 12) + (softmax ? "\n" : "probability\n");
    for (std::size_t i = 0; i < grid.size(); ++i) {
      text += "  " + padded(number(grid[i]), 12) + padded(number(curve.nu[i]), 12) +
              padded(number(curve.lower[i]), 12) + padded(number(curve.upper[i]), 12) +
              (softmax ? "" : number(sigmoid(base.log_odds(curve.nu[i])))) + "\n";
    }
  }
  return text + more(classes.size(), scores, "classes");
}

}  // namespace linkgistic

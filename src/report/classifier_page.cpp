#include "report/classifier_page.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "classification/link_test.hpp"
#include "classification/names.hpp"
#include "metrics/calibration_test.hpp"
#include "metrics/paired.hpp"
#include "numeric/quantile.hpp"
#include "report/class_loss_figure.hpp"
#include "report/class_outcome.hpp"
#include "report/classifier_figure.hpp"
#include "report/classifier_text.hpp"
#include "report/command.hpp"
#include "report/learned_loss_figure.hpp"
#include "report/reliability.hpp"
#include "report/trace_figure.hpp"
#include "report/verdict.hpp"
#include "report/words.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t most_coefficients = 20;

std::string task(const FittedLinkgisticClassifier& fit) {
  const std::string label = fit.encoding().label;
  return label.empty() ? "labels" : label;
}

PageSection fitted(const FittedLinkgisticClassifier& fit) {
  const ClassifierSummary& s = fit.summary();
  const LinkgisticOptions& o = fit.options();
  PageSection section{"What was fitted", {}, true};
  Facts facts;
  facts.facts = {{"prior of the link", name_of(link_prior_names(), o.prior)},
                 {"base loss", o.loss},
                 {"training rows", std::to_string(s.rows)},
                 {"features", std::to_string(s.columns)},
                 {"classes", std::to_string(fit.class_names().size())},
                 {"l2", number(s.l2) + how_l2_was_chosen(fit)}};
  if (o.prior == LinkPrior::offset)
    facts.facts.push_back({"v", number(s.v) + (s.v_chosen ? " (chosen)" : "")});
  if (!s.posterior.empty()) facts.facts.push_back({"posterior of the links", s.posterior});
  facts.facts.push_back({"search", s.stop});
  section.blocks.emplace_back(std::move(facts));
  // The links of a softmax have one evidence: the search's objective.
  PageTable table{"Scores", {"class", "weight of its rows"}, {}};
  if (!s.softmax) table.head.emplace_back("log evidence");
  table.head.insert(table.head.end(), {"slope of the link", "range of the score"});
  for (const ClassSummary& c : s.classes) {
    TableRow row{c.name, {number(c.weight)}};
    if (!s.softmax) row.cells.emplace_back(number(c.log_evidence));
    row.cells.emplace_back(number(c.slope));
    row.cells.emplace_back(number(c.score_lower) + " to " + number(c.score_upper));
    table.rows.push_back(std::move(row));
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

PageSection links(const FittedLinkgisticClassifier& fit) {
  PageSection section{"Links and losses", {}};
  if (fit.summary().softmax) {
    section.blocks.emplace_back(Picture{
        link_figure(fit),
        std::string("The learned links with 90 % bands; straight ones are multinomial logistic regression.") +
            (fit.has_bands() ? " The bands are of each link less the mean of all links at the middles of "
                               "their scores: what is added to all links changes no probability."
                             : ""),
        "What the softmax is taken of against linear score, for each class, learned and straight."});
    if (fit.summary().v + fit.summary().v_shared > 0) {
      const LearnedClassLoss loss = fit.learned_class_loss();
      section.blocks.emplace_back(
          Picture{class_loss_figure(loss, "link"),
                  "How the links of all classes bend: what they have beyond their lines, and the mean, which "
                  "stands for what they share.",
                  "The links of all classes less their lines, with their mean."});
      section.blocks.emplace_back(Picture{class_loss_figure(loss, "loss"),
                                          "The learned loss of each class in its own score.",
                                          "The loss of each class against its score."});
    }
    return section;
  }
  section.blocks.emplace_back(
      Picture{link_figure(fit), "The learned inverse links with 90 % bands, and those of the base.",
              "Probability against linear score for each class, learned and base link."});
  const LearnedLoss loss = fit.learned_loss(0);
  const SourceBand band = source_band(fit, 0, loss);
  const std::string of = " of class " + fit.summary().classes[0].name;
  for (const auto& [what, caption] :
       {std::pair("source", "The learned source"), std::pair("loss", "The learned loss"),
        std::pair("weight", "The weight function")}) {
    if (std::string(what) == "weight" && !loss.increasing()) continue;
    section.blocks.emplace_back(Picture{learned_loss_figure(loss, what, band),
                                        caption + of + ", and that of the base.",
                                        caption + of + " against that of the base loss."});
  }
  std::vector<double> flatness = fit.margin_lipschitz(0);
  for (double& bound : flatness) bound = 1 / bound;  // bounds may be infinite
  section.blocks.emplace_back(
      Facts{{{"slope of the loss" + of, "at most " + number(loss.lipschitz_bound())},
             {"slope of its margin loss in the probability",
              "at most " + number(loss.margin_lipschitz_bound()) + "; 90 % of the links' draws: " +
                  number(1 / quantile(flatness, 0.95)) + " to " + number(1 / quantile(flatness, 0.05))}}});
  return section;
}

PageSection coefficients(const FittedLinkgisticClassifier& fit) {
  const auto& names = fit.feature_names();
  const auto& classes = fit.summary().classes;
  const std::size_t width = names.size() + 1;
  const std::vector<double> beta = fit.coefficients();
  const auto size = [&](std::size_t j) {
    double largest = 0;
    for (std::size_t k = 0; k < classes.size(); ++k)
      largest = std::max(largest, std::abs(beta[k * width + j]));
    return largest;
  };
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{1});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return size(a) > size(b); });
  order.resize(std::min(order.size(), most_coefficients));
  order.insert(order.begin(), 0);
  PageTable table{"In the units of the features, the largest first", {"feature"}, {}};
  for (const ClassSummary& c : classes) table.head.push_back(c.name);
  for (const std::size_t j : order) {
    TableRow row{j == 0 ? "(intercept)" : names[j - 1], {}};
    for (std::size_t k = 0; k < classes.size(); ++k) row.cells.emplace_back(number(beta[k * width + j]));
    table.rows.push_back(std::move(row));
  }
  const CoefficientTable inference = fit.coefficient_table();
  if (inference.rows.empty()) return {"Coefficients", {std::move(table)}};
  PageTable errors{"Posterior at unit mean slope of the link; 95 % intervals",
                   {"feature", "estimate", "error", "z", "p", "interval", "effect", "interval of the effect"},
                   {}};
  if (inference.logit) errors.head.emplace_back("odds ratio");
  for (const std::size_t j : order) {
    const Coefficient& c = inference.rows[j];
    TableRow row{c.name, {}};
    for (const double value : {c.estimate, c.error, c.z, c.p_value}) row.cells.emplace_back(number(value));
    row.cells.emplace_back(number(c.lower) + " to " + number(c.upper));
    row.cells.emplace_back(j == 0 ? "" : number(c.effect));
    row.cells.emplace_back(j == 0 ? "" : number(c.effect_lower) + " to " + number(c.effect_upper));
    if (inference.logit) row.cells.emplace_back(j == 0 ? "" : number(std::exp(c.estimate)));
    errors.rows.push_back(std::move(row));
  }
  return {"Coefficients", {std::move(table), std::move(errors)}};
}

PageSection search(const FittedLinkgisticClassifier& fit) {
  std::vector<double> objective;
  PageTable table{"EM", {"step", "objective", "training loss", "passes"}, {}};
  for (const EmStep& step : fit.summary().trace) {
    objective.push_back(step.objective);
    table.rows.push_back({std::to_string(step.step),
                          {number(step.objective), number(step.mean_loss), std::to_string(step.passes)}});
  }
  PageSection section{"Evidence and convergence", {}, true};
  if (objective.size() > 1) {
    section.blocks.emplace_back(Picture{
        trace_figure(objective, "EM step", "objective"), "Log evidence of the links, penalty included.",
        "The objective over " + std::to_string(objective.size()) + " steps, from " +
            number(objective.front()) + " to " + number(objective.back()) + "."});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

TableRow metric_row(const std::string& name, double BinaryMetrics::*member, const ClassifierTrial& trial) {
  return {name,
          {Measure{name, trial.all.*member}, Measure{"one_vs_rest." + name, trial.one_vs_rest.*member}}};
}

PageSection held_against(const FittedLinkgisticClassifier& fit, const ClassifierTrial& trial) {
  PageTable table{"Scores on these rows", {"measure", "all classes", "mean, one against the rest"}, {}};
  table.rows = {
      metric_row("accuracy", &BinaryMetrics::accuracy, trial), metric_row("auc", &BinaryMetrics::auc, trial),
      metric_row("log_loss", &BinaryMetrics::log_loss, trial),
      metric_row("brier", &BinaryMetrics::brier, trial), metric_row("ece", &BinaryMetrics::ece, trial)};
  const ClassOutcomes outcomes{trial.probability, trial.label, trial.row_weight, fit.class_names().size()};
  PageSection section{
      "On " + trial.name,
      {Facts{{{"rows", std::to_string(trial.rows)}}}, std::move(table),
       confusion_table(outcomes, fit.class_names()),
       Picture{reliability_figure(reliability(trial.log_odds, trial.truth, trial.weight), trial.log_odds,
                                  trial.weight),
               "Reliability of the probabilities.",
               "Reliability diagram with its 90 % consistency band, and a histogram of the probabilities."}}};
  if (outcomes.classes > 2) section.blocks.emplace_back(confidence_picture(outcomes, ""));
  return section;
}

// Log losses of the rows, against the rival's or those of the shares of the classes.
PairedLosses log_losses(const ClassifierTrial& trial, std::size_t classes) {
  std::vector<double> share(classes);
  const auto weight = [&](std::size_t n) { return trial.row_weight.empty() ? 1.0 : trial.row_weight[n]; };
  const auto label = [&](std::size_t n) { return static_cast<std::size_t>(trial.label[n]); };
  double total = 0;
  for (std::size_t n = 0; n < trial.label.size(); ++n) {
    share[label(n)] += weight(n);
    total += weight(n);
  }
  PairedLossSums sums;
  for (std::size_t n = 0; n < trial.label.size(); ++n) {
    const std::size_t i = n * classes + label(n);
    const double other = trial.rival.empty() ? share[label(n)] / total : trial.rival_probability[i];
    sums.add(-std::log(trial.probability[i]), -std::log(other), weight(n));
  }
  return sums.losses();
}

// The same number of rows, and of each class the same weight.
bool looks_like_training(const FittedLinkgisticClassifier& fit, const ClassifierTrial& trial) {
  const ClassifierSummary& s = fit.summary();
  if (s.rows != trial.rows) return false;
  const auto& names = fit.class_names();
  return std::all_of(s.classes.begin(), s.classes.end(), [&](const ClassSummary& c) {
    const auto at = std::find(names.begin(), names.end(), c.name);
    if (at == names.end()) return true;  // a pair
    double weight = 0;
    for (std::size_t n = 0; n < trial.label.size(); ++n)
      if (trial.label[n] == at - names.begin())
        weight += trial.row_weight.empty() ? 1.0 : trial.row_weight[n];
    return weight == c.weight;
  });
}

std::string verdict(const FittedLinkgisticClassifier& fit, const std::optional<ClassifierTrial>& trial) {
  std::string link = link_test_words(fit);
  if (!link.empty()) link = " Test of the link: " + link + ".";
  if (!trial)
    return "Fitted to " + std::to_string(fit.summary().rows) + " rows." + link +
           " With a table of labelled rows, this report says how well it does on them.";
  const std::size_t classes = fit.class_names().size();
  const CalibrationTest test = calibration_test(trial->probability, classes, trial->label, trial->row_weight);
  return "On " + trial->name + ": " +
         comparison_words("log loss", log_losses(*trial, classes),
                          trial->rival.empty() ? "the shares of the classes alone" : trial->rival) +
         "; " + calibration_words(test, trial->all.ece) + "." + link +
         training_rows_words(looks_like_training(fit, *trial));
}

}  // namespace

Page classifier_page(const FittedLinkgisticClassifier& fit, const std::optional<ClassifierTrial>& trial) {
  Page page;
  page.title = fit.options().prior == LinkPrior::none ? "Logistic regression of " + task(fit)
                                                      : "Linkgistic regression of " + task(fit);
  page.subtitle = std::to_string(fit.class_names().size()) + " classes, " +
                  std::to_string(fit.summary().rows) + " rows, " + std::to_string(fit.summary().columns) +
                  " features";
  page.verdict = verdict(fit, trial);
  page.warnings = fit.summary().warnings;
  page.sections = {coefficients(fit), links(fit)};
  if (trial) page.sections.push_back(held_against(fit, *trial));
  page.sections.push_back(fitted(fit));
  page.sections.push_back(search(fit));
  page.sections.push_back(make_again(fit));
  return page;
}

}  // namespace linkgistic

#include "report/regression_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "metrics/calibration_metrics.hpp"
#include "metrics/calibration_test.hpp"
#include "regression/shape.hpp"
#include "report/answer_figure.hpp"
#include "report/command.hpp"
#include "report/regression_text.hpp"
#include "report/response_words.hpp"
#include "report/trace_figure.hpp"
#include "report/verdict.hpp"
#include "report/words.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

std::string range(const RegressionSummary& s) { return number(s.x_lower) + " to " + number(s.x_upper); }

std::string curve_words(const FittedMonotoneRegression& fit) {
  const CurveShape shape = shape_of(fit.options());
  if (fit.options().prior == PriorKind::gp) return "regression, not monotone";
  const std::string curved = shape.curvature > 0 ? "convex " : shape.curvature < 0 ? "concave " : "";
  if (!shape.monotone) return curved + "curve";
  return (fit.summary().decreasing ? "decreasing " : "increasing ") + curved + "curve";
}

PageSection fitted(const FittedMonotoneRegression& fit) {
  const RegressionSummary& s = fit.summary();
  PageSection section{"What was fitted", {}, true};
  Facts facts;
  facts.facts = {
      {"response", response_words(fit)},
      {"model", curve_words(fit)},
      {"prior", name_of(prior_names(), fit.options().prior)},
      {"basis", name_of(basis_names(), fit.options().basis) + ", " +
                    std::to_string(2 * fit.options().harmonics) + " functions"},
      {"training rows", std::to_string(s.rows) + ", total weight " + number(s.total_weight)},
      {"range of " + x_name(fit), range(s) + "; outside it straight on with the slope at the edge"},
      {"posterior", s.posterior},
      {"log evidence", number(s.log_evidence)},
      {"search", s.stop + ", " + std::to_string(s.evaluations) + " evaluations"}};
  if (fit.options().response == ResponseKind::gaussian) {
    const bool smooth = fit.options().noise == NoiseKind::smooth;
    facts.facts.insert(facts.facts.begin() + 6,
                       {"noise", (smooth ? noise_words(fit) : number(fit.noise())) +
                                     " (standard deviation of " + y_name(fit) + " about the curve)"});
  }
  section.blocks.emplace_back(std::move(facts));
  PageTable table{"Hyper-parameters, in the units of the data", {"name", "value", "", "meaning"}, {}};
  for (const HyperValue& hyper : s.hyper_parameters) {
    table.rows.push_back({hyper.name,
                          {Measure{"hyper." + hyper.name, hyper.value}, hyper.learned ? "learned" : "held",
                           hyper_parameter_meaning(fit, hyper.name)}});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

PageSection curve(const FittedMonotoneRegression& fit, const RowsForPlot& rows) {
  const RegressionSummary& s = fit.summary();
  const double ends[] = {s.x_lower, s.x_upper};
  const Prediction p = fit.predict(ends);
  std::string words = "Fitted curve of " + mean_words(fit) + " against " + x_name(fit) + ": from " +
                      number(p.estimate[0]) + " (90 % band " + number(p.lower[0]) + " to " +
                      number(p.upper[0]) + ") at " + number(ends[0]) + " to " + number(p.estimate[1]) + " (" +
                      number(p.lower[1]) + " to " + number(p.upper[1]) + ") at " + number(ends[1]) + ".";
  const bool gp = fit.options().prior == PriorKind::gp;
  const bool curved = shape_of(fit.options()).curvature != 0;
  return {"The curve",
          {Picture{regression_figure(fit, rows),
                   std::string("Dark band: 90 % of curves. ") +
                       (observes_labels(fit) ? "" : "Light band: 90 % of observations. ") + "Below: " +
                       (gp       ? "the slope"
                        : curved ? "the latent f, whose square is the curvature, and the slope"
                                 : "the latent f, and its square, which is the slope") +
                       (link_words(fit) == y_name(fit) ? "." : " of " + link_words(fit) + "."),
                   std::move(words)}}};
}

// x with half of the effect: a crossing with its interval.
PageSection answers(const FittedMonotoneRegression& fit, const RowsForPlot& rows) {
  const CurveAnswer half = fit.inverse_share(0.5);
  const std::string what = x_name(fit) + " with half of the change of " + mean_words(fit) + " over the data";
  const std::string words = what + ": " + number(half.estimate) + ", 90 % interval " + number(half.lower) +
                            " to " + number(half.upper) + ".";
  return {
      "Half of the effect",
      {Picture{answer_figure(fit, rows, what, half),
               "Dashed: the estimate. Thick: its 90 % interval. `linkgistic solve` answers for other levels.",
               words},
       Facts{{{"half of the effect at " + x_name(fit), number(half.estimate) + ", 90 % interval " +
                                                           number(half.lower) + " to " +
                                                           number(half.upper)}}}}};
}

PageSection search(const FittedMonotoneRegression& fit) {
  const RegressionSummary& s = fit.summary();
  PageSection section{"Evidence and convergence", {}, true};
  if (s.trace.size() > 1) {
    section.blocks.emplace_back(Picture{trace_figure(s.trace, "evaluation", "log evidence + log hyper-prior"),
                                        "The search for the hyper-parameters (data standardised).",
                                        "The objective over " + std::to_string(s.trace.size()) +
                                            " evaluations, from " + number(s.trace.front()) + " to " +
                                            number(s.trace.back()) + "."});
  }
  if (!fit.profiles().empty()) {
    section.blocks.emplace_back(
        Picture{evidence_figure(fit), "Evidence along each hyper-parameter.",
                "Profiles of the log evidence, each greatest near the fitted value."});
  }
  section.blocks.emplace_back(
      Paragraph{"Smallest eigenvalue of the whitened curvature: " + number(s.smallest_eigenvalue) +
                " (1 = as sure as the prior, towards 0 = flat" +
                (s.floored > 0 ? "; " + std::to_string(s.floored) + " raised to the floor)." : ").")});
  return section;
}

PageSection held_against(const RegressionTrial& trial) {
  const RegressionMetrics& m = trial.metrics;
  PageTable table{"Errors on these rows",
                  {"measure", "value", "meaning"},
                  {{"rmse", {Measure{"rmse", m.rmse()}, "root of the mean squared error"}},
                   {"mae", {Measure{"mae", m.mae()}, "mean absolute error"}},
                   {"nll", {Measure{"nll", m.nll()}, "mean negative log density at the learned noise"}}}};
  if (m.has_scores()) {
    table.rows.push_back({"deviance",
                          {Measure{"deviance", m.deviance()},
                           "mean of twice the distance of the log density to the greatest there could be"}});
  }
  table.rows.push_back(
      {"coverage", {Measure{"coverage", m.coverage()}, "share inside the 90 % observation band"}});
  return {"On " + trial.name,
          {Facts{{{"rows", std::to_string(trial.rows) + ", total weight " + number(m.total_weight())}}},
           std::move(table)}};
}

// Of one label a row, whose chances are those of the curve: no offset moves them.
bool has_chances(const FittedMonotoneRegression& fit, const RegressionTrial& trial) {
  return fit.options().response == ResponseKind::bernoulli && !fit.columns().contains("offset") &&
         !trial.shown.x.empty();
}

std::string chances_words(const FittedMonotoneRegression& fit, const RowsForPlot& rows) {
  std::vector<double> probability, log_odds;
  std::vector<std::int32_t> label;
  std::vector<std::uint8_t> y;
  for (const double p : fit.estimate(rows.x)) {
    probability.insert(probability.end(), {1 - p, p});
    log_odds.push_back(std::log(p) - std::log1p(-p));
  }
  for (const double value : rows.y) {
    label.push_back(value > 0.5 ? 1 : 0);
    y.push_back(value > 0.5 ? 1 : 0);
  }
  return calibration_words(calibration_test(probability, 2, label),
                           calibration_metrics(log_odds, y).smooth_ece);
}

// The same number of rows, and the same ends of x where all rows are shown.
bool looks_like_training(const RegressionSummary& s, const RegressionTrial& trial) {
  const std::vector<double>& x = trial.shown.x;
  if (s.rows != trial.rows || x.size() != trial.rows) return false;
  const auto [least, greatest] = std::minmax_element(x.begin(), x.end());
  return *least == s.x_lower && *greatest == s.x_upper;
}

bool observes_counts(const FittedMonotoneRegression& fit) {
  const ResponseKind kind = fit.options().response;
  return kind == ResponseKind::poisson || kind == ResponseKind::negative_binomial;
}

std::string verdict(const FittedMonotoneRegression& fit, const std::optional<RegressionTrial>& trial) {
  if (!trial)
    return "Fitted to " + std::to_string(fit.summary().rows) +
           " rows. With a table of rows, this report says how well it does on them.";
  const bool noisy = std::isfinite(fit.noise());
  const std::string score = noisy ? "rmse" : "deviance";
  const RegressionMetrics& m = trial->metrics;
  std::string words = "On " + trial->name + ": ";
  if (trial->line) {
    words += comparison_words(
        score, *trial->line,
        link_words(fit) == y_name(fit) ? "a straight line" : "a straight line of the " + link_words(fit),
        noisy);
  } else {
    words += score + ' ' + number(noisy ? m.rmse() : m.deviance(), 4);
  }
  if (has_chances(fit, *trial)) words += "; " + chances_words(fit, trial->shown);
  if (!observes_labels(fit)) words += "; " + coverage_words(m.coverage(), trial->rows, observes_counts(fit));
  return words + "." + training_rows_words(looks_like_training(fit.summary(), *trial));
}

}  // namespace

Page regression_page(const FittedMonotoneRegression& fit, const std::optional<RegressionTrial>& trial) {
  Page page;
  page.title = y_name(fit) + " against " + x_name(fit);
  page.subtitle = "Monotone regression with credible bands, " + std::to_string(fit.summary().rows) + " rows";
  page.verdict = verdict(fit, trial);
  page.warnings = fit.summary().warnings;
  page.sections.push_back(curve(fit, trial ? trial->shown : RowsForPlot{}));
  if (shape_of(fit.options()).monotone && fit.summary().x_lower < fit.summary().x_upper)
    page.sections.push_back(answers(fit, trial ? trial->shown : RowsForPlot{}));
  if (trial) page.sections.push_back(held_against(*trial));
  page.sections.push_back(fitted(fit));
  page.sections.push_back(search(fit));
  page.sections.push_back(make_again(fit));
  return page;
}

}  // namespace linkgistic

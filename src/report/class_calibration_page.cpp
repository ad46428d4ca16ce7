#include "report/class_calibration_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "calibration/names.hpp"
#include "metrics/bootstrap.hpp"
#include "metrics/calibration_metrics.hpp"
#include "metrics/calibration_test.hpp"
#include "metrics/paired.hpp"
#include "numeric/parallel.hpp"
#include "numeric/random.hpp"
#include "report/calibrator_text.hpp"
#include "report/class_outcome.hpp"
#include "report/command.hpp"
#include "report/reliability.hpp"
#include "report/verdict.hpp"
#include "report/words.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t replicates = 100;

PageSection fitted(const FittedClassCalibrator& fit) {
  const ClassCalibratorSummary& s = fit.summary();
  const bool shared = s.maps == ClassMaps::shared;
  PageSection section{"What was fitted", {}, true};
  Facts facts{{{"maps", shared ? "one increasing map for all classes" : "an increasing map for each class"}}};
  if (fit.options().maps == ClassMaps::automatic && std::isfinite(s.one_vs_rest_loss + s.shared_loss)) {
    facts.facts.push_back({"cross-validated log loss", number(s.one_vs_rest_loss) + " one for each class, " +
                                                           number(s.shared_loss) + " one for all; " +
                                                           std::to_string(fit.options().folds) + " parts"});
  }
  facts.facts.push_back({"probabilities", "an average of " + weights_text(s)});
  facts.facts.push_back({"prior", name_of(prior_names(), fit.options().map.prior) + ", " +
                                      std::to_string(fit.options().map.harmonics) + " harmonics"});
  facts.facts.push_back({"training rows", std::to_string(s.rows)});
  facts.facts.push_back({"scores", name_of(score_kind_names(), s.score_kind)});
  facts.facts.push_back({"bands", fit.posterior()});
  section.blocks.emplace_back(std::move(facts));
  PageTable table{"The maps, each of the log odds of a class against the others",
                  {"class", "positive", "log evidence", "weight of the uncalibrated scores"},
                  {}};
  for (std::size_t c = 0; c < s.calibrators.size(); ++c) {
    const CalibratorSummary& m = s.calibrators[c];
    table.rows.push_back({shared ? "all" : fit.class_names()[c],
                          {number(100 * m.positive_weight / m.total_weight) + " %", number(m.log_evidence),
                           number(m.claimed)}});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

PageSection maps(const FittedClassCalibrator& fit, const std::optional<ClassCalibrationTrial>& trial) {
  PageSection section{"The maps", {}};
  const bool shared = fit.summary().maps == ClassMaps::shared;
  const std::size_t count = shared ? 1 : fit.class_names().size();
  for (std::size_t c = 0; c < count; ++c) {
    const std::string name = shared ? "all classes" : "class " + fit.class_names()[c];
    const CalibratorSummary& s = fit.map(c).summary();
    const double ends[] = {s.score_lower, s.score_upper};
    const CalibratedScores p = fit.map(c).predict(ends);
    section.blocks.emplace_back(
        Picture{class_map_figure(fit, shared ? std::nullopt : trial, c),
                "The map of " + name + " with its 90 % band, before probabilities are divided by their sum.",
                "Probability against log odds for " + name + ": from " + number(p.probability[0]) + " at " +
                    number(ends[0]) + " to " + number(p.probability[1]) + " at " + number(ends[1]) + "."});
  }
  return section;
}

// Each metric with its interval, replicates as those of calibration_estimates.
std::vector<Estimate> estimates(const std::vector<double>& p, std::size_t classes,
                                const ClassCalibrationTrial& trial) {
  const BinaryMetrics value = class_metrics(p, classes, trial.label, trial.weight);
  std::vector<BinaryMetrics> drawn(replicates);
  parallel_for(replicates, 0, [&](std::size_t r) {
    RandomStream random(0, r);
    std::vector<double> weight(trial.label.size());
    for (std::size_t i = 0; i < weight.size(); ++i) {
      weight[i] = (trial.weight.empty() ? 1.0 : trial.weight[i]) * poisson_count(random.uniform());
    }
    drawn[r] = class_metrics(p, classes, trial.label, weight);
  });
  std::vector<Estimate> result;
  for (const auto& [name, member] : class_metric_fields) {
    std::vector<double> values;
    for (const BinaryMetrics& m : drawn) values.push_back(m.*member);
    const bool bounded = member != &BinaryMetrics::log_loss && member != &BinaryMetrics::brier;
    result.push_back(basic_interval(value.*member, std::move(values), 0.9,
                                    bounded ? 1.0 : std::numeric_limits<double>::infinity()));
  }
  return result;
}

PageTable metrics_table(const std::vector<Estimate>& before, const std::vector<Estimate>& after) {
  PageTable table{"Before and after, with 90 % bootstrap intervals",
                  {"measure", "before", "after", "interval before", "interval after"},
                  {}};
  std::size_t i = 0;
  for (const auto& [name, member] : class_metric_fields) {
    const Estimate &b = before[i], &a = after[i++];
    const std::string key(name);
    table.rows.push_back({key,
                          {Measure{"before." + key, b.value}, Measure{"after." + key, a.value},
                           range(b.lower, b.upper), range(a.lower, a.upper)}});
  }
  return table;
}

// Mean band in groups of rows of like probability.
ProbabilityBand mean_band(const CalibratedClasses& p, std::size_t classes, std::size_t c) {
  constexpr std::size_t most = 60;
  std::vector<std::size_t> order(p.label.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto at = [&](const std::vector<double>& v, std::size_t n) { return v[n * classes + c]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return at(p.probability, a) < at(p.probability, b); });
  ProbabilityBand band;
  const std::size_t groups = std::min(most, order.size());
  for (std::size_t k = 0; k < groups; ++k) {
    const std::size_t first = k * order.size() / groups, end = (k + 1) * order.size() / groups;
    double sum[3] = {0, 0, 0};
    for (std::size_t i = first; i < end; ++i) {
      sum[0] += at(p.probability, order[i]);
      sum[1] += at(p.lower, order[i]);
      sum[2] += at(p.upper, order[i]);
    }
    const auto count = static_cast<double>(end - first);
    band.p.push_back(sum[0] / count);
    band.lower.push_back(sum[1] / count);
    band.upper.push_back(sum[2] / count);
  }
  return band;
}

PageSection held_against(const FittedClassCalibrator& fit, const ClassCalibrationTrial& trial,
                         const CalibratedClasses& p) {
  const std::size_t classes = fit.class_names().size();
  PageSection section{"On " + trial.name, {}};
  section.blocks.emplace_back(Facts{{{"rows", std::to_string(trial.label.size())}}});
  section.blocks.emplace_back(metrics_table(estimates(fit.uncalibrated(trial.score), classes, trial),
                                            estimates(p.probability, classes, trial)));
  PageTable table{"Each class against the others",
                  {"class", "log loss before", "after", "smooth ECE before", "after",
                   "miscalibration (MCB) before", "after"},
                  {}};
  std::vector<Picture> pictures;
  const std::vector<double> claims = fit.uncalibrated(trial.score);
  for (const auto& [q, when] :
       {std::pair(&claims, " before calibration"), std::pair(&p.probability, " after it")})
    pictures.push_back(confidence_picture({*q, trial.label, trial.weight, classes}, when));
  for (std::size_t c = 0; c < classes; ++c) {
    const std::string& name = fit.class_names()[c];
    const CalibrationRows rows = one_against_rest(fit, trial, c);
    const std::vector<double> after = log_odds_of(p.probability, classes, c);
    const CalibrationMetrics b = calibration_metrics(rows.score, rows.label, rows.weight);
    const CalibrationMetrics a = calibration_metrics(after, rows.label, rows.weight);
    const std::string key = "classes." + name;
    TableRow row{name, {}};
    for (const auto& [metric, member] : {std::pair("log_loss", &CalibrationMetrics::log_loss),
                                         std::pair("smooth_ece", &CalibrationMetrics::smooth_ece),
                                         std::pair("mcb", &CalibrationMetrics::mcb)}) {
      row.cells.emplace_back(Measure{key + ".before." + metric, b.*member});
      row.cells.emplace_back(Measure{key + ".after." + metric, a.*member});
    }
    table.rows.push_back(std::move(row));
    const Reliability r = reliability(after, rows.label, rows.weight);
    pictures.push_back(
        Picture{reliability_figure(r, after, rows.weight, mean_band(p, classes, c)),
                "Reliability of class " + name + " after calibration.",
                "Reliability diagram of the probability of class " + name +
                    " with its 90 % consistency band and the mean credible band, and a histogram below it."});
  }
  section.blocks.emplace_back(std::move(table));
  for (Picture& picture : pictures) section.blocks.emplace_back(std::move(picture));
  return section;
}

// The same number of rows, and of each class the same weight.
bool looks_like_training(const FittedClassCalibrator& fit, const ClassCalibrationTrial& trial) {
  const ClassCalibratorSummary& s = fit.summary();
  if (s.rows != trial.label.size() || s.maps == ClassMaps::shared) return s.rows == trial.label.size();
  for (std::size_t c = 0; c < s.calibrators.size(); ++c) {
    double weight = 0;
    for (std::size_t n = 0; n < trial.label.size(); ++n)
      if (static_cast<std::size_t>(trial.label[n]) == c)
        weight += trial.weight.empty() ? 1.0 : trial.weight[n];
    if (weight != s.calibrators[c].positive_weight) return false;
  }
  return true;
}

std::string verdict(const FittedClassCalibrator& fit, const ClassCalibrationTrial& trial,
                    const std::vector<double>& after) {
  const std::size_t classes = fit.class_names().size();
  const std::vector<double> before = fit.uncalibrated(trial.score);
  PairedLossSums sums;
  for (std::size_t n = 0; n < trial.label.size(); ++n) {
    const std::size_t i = n * classes + static_cast<std::size_t>(trial.label[n]);
    sums.add(-std::log(after[i]), -std::log(before[i]), trial.weight.empty() ? 1.0 : trial.weight[n]);
  }
  return "On " + trial.name + ": " +
         comparison_words("log loss", sums.losses(), "the scores without calibration") +
         "; after calibration " +
         calibration_words(calibration_test(after, classes, trial.label, trial.weight),
                           class_metrics(after, classes, trial.label, trial.weight).ece) +
         "." + training_rows_words(looks_like_training(fit, trial));
}

}  // namespace

CalibrationRows one_against_rest(const FittedClassCalibrator& fit, const ClassCalibrationTrial& trial,
                                 std::size_t c) {
  const std::size_t classes = fit.class_names().size();
  const std::vector<double> all = fit.claimed_log_odds(trial.score);
  CalibrationRows rows;
  rows.weight = trial.weight;
  for (std::size_t n = 0; n < trial.label.size(); ++n) {
    rows.score.push_back(all[n * classes + c]);
    rows.label.push_back(static_cast<std::size_t>(trial.label[n]) == c ? 1 : 0);
  }
  return rows;
}

std::vector<double> log_odds_of(const std::vector<double>& probability, std::size_t classes, std::size_t c) {
  std::vector<double> result;
  for (std::size_t i = c; i < probability.size(); i += classes) {
    result.push_back(std::log(probability[i]) - std::log1p(-probability[i]));
  }
  return result;
}

Figure class_map_figure(const FittedClassCalibrator& fit, const std::optional<ClassCalibrationTrial>& trial,
                        std::size_t c) {
  const bool shared = fit.summary().maps == ClassMaps::shared;
  const std::string name = shared ? "a class" : fit.class_names()[c];
  return calibrator_figure(
      fit.map(c).with_columns({{"score", "log odds of " + name + ", as the scores claim"}}),
      trial ? one_against_rest(fit, *trial, c) : CalibrationRows{});
}

Page class_calibration_page(const FittedClassCalibrator& fit,
                            const std::optional<ClassCalibrationTrial>& trial) {
  Page page;
  page.title = "Calibration of " + std::to_string(fit.class_names().size()) + " classes";
  page.subtitle =
      "Probability of each " + column_of(fit, "label") + ", " + std::to_string(fit.summary().rows) + " rows";
  page.warnings = fit.warnings();
  page.sections.push_back(maps(fit, trial));
  if (trial) {
    const CalibratedClasses p = fit.predict(trial->score, 0.9);
    page.verdict = verdict(fit, *trial, p.probability);
    page.sections.push_back(held_against(fit, *trial, p));
  } else {
    page.verdict = "Fitted to " + std::to_string(fit.summary().rows) +
                   " rows. With a table of scores and labels, this report says how well it does on them.";
  }
  page.sections.push_back(fitted(fit));
  page.sections.push_back(make_again(fit));
  return page;
}

}  // namespace linkgistic

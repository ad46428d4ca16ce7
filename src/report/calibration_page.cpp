#include "report/calibration_page.hpp"

#include <algorithm>
#include <set>

#include "calibration/names.hpp"
#include "metrics/calibration_metrics.hpp"
#include "metrics/calibration_test.hpp"
#include "metrics/paired.hpp"
#include "numeric/logistic.hpp"
#include "report/command.hpp"
#include "report/reliability.hpp"
#include "report/verdict.hpp"
#include "report/words.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

PageSection fitted(const FittedMonotoneCalibrator& fit) {
  const CalibratorSummary& s = fit.summary();
  std::string evidence = number(s.log_evidence);
  if (s.gp_log_evidence) {
    evidence += ", of a curve that need not increase ";
    evidence += number(*s.gp_log_evidence);
  }
  PageSection section{"What was fitted", {}, true};
  const std::string bands = fit.posterior();
  section.blocks.emplace_back(Facts{
      {{"model", fit.options().prior == PriorKind::gp ? "calibration, not monotone" : "increasing map"},
       {"prior", name_of(prior_names(), fit.options().prior) + ", " +
                     std::to_string(fit.options().harmonics) + " harmonics"},
       {"training rows", std::to_string(s.rows) + ", " + number(100 * s.positive_weight / s.total_weight) +
                             " % positive, " + std::to_string(s.distinct) + " different scores"},
       {"scores", name_of(score_kind_names(), s.score_kind) + ", " + number(s.score_lower) + " to " +
                      number(s.score_upper)},
       {"log evidence", evidence},
       {"weight of the uncalibrated scores", number(s.claimed) + "; the sources below have the rest"},
       {"bands", bands}}});
  PageTable table{"The sources that are averaged, and how the search for their modes ended",
                  {"bend v", "weight", "log evidence", "smallest eigenvalue", "Newton steps", "converged"},
                  {}};
  for (const CalibratorComponent& c : s.components) {
    table.rows.push_back({number(c.v),
                          {number(c.weight), number(c.log_evidence), number(c.smallest_eigenvalue),
                           std::to_string(c.iterations), c.converged ? "yes" : "no"}});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

PageSection map(const FittedMonotoneCalibrator& fit, const CalibrationRows& rows) {
  const CalibratorSummary& s = fit.summary();
  const double ends[] = {s.score_lower, s.score_upper};
  const CalibratedScores p = fit.predict(ends);
  return {
      "The map",
      {Picture{calibrator_figure(fit, rows), "Link with its 90 % band, and below it the source.",
               "Probability against score: from " + number(p.probability[0]) + " (90 % band " +
                   number(p.lower[0]) + " to " + number(p.upper[0]) + ") at " + number(ends[0]) + " to " +
                   number(p.probability[1]) + " (" + number(p.lower[1]) + " to " + number(p.upper[1]) +
                   ") at " + number(ends[1]) + "."},
       Picture{calibrator_loss_figure(fit),
               "The loss that the map makes of the score for either label, and below it the weight it gives "
               "to a score: Fisher's information p (1 - p) (d log odds / d score)\u00B2.",
               "Learned loss against score for label 0, which grows, and label 1, which falls; below it the "
               "weight of each score."}}};
}

PageTable metrics_table(const CalibrationEstimates& before, const CalibrationEstimates& after) {
  PageTable table{"Before and after, with 90 % bootstrap intervals",
                  {"measure", "before", "after", "interval before", "interval after"},
                  {}};
  for (const auto& [name, member] : calibration_fields<Estimate>()) {
    const Estimate &b = before.*member, &a = after.*member;
    const std::string key(name);
    table.rows.push_back({key,
                          {Measure{"before." + key, b.value}, Measure{"after." + key, a.value},
                           range(b.lower, b.upper), range(a.lower, a.upper)}});
  }
  return table;
}

// The band of the map as a function of the probability it gives.
ProbabilityBand map_band(const FittedMonotoneCalibrator& fit, std::vector<double> scores) {
  constexpr std::size_t most = 400;
  std::sort(scores.begin(), scores.end());
  std::vector<double> some;
  const std::size_t count = std::min(most, scores.size());
  for (std::size_t i = 0; i < count; ++i)
    some.push_back(scores[i * (scores.size() - 1) / std::max<std::size_t>(count - 1, 1)]);
  CalibratedScores p = fit.predict(some);
  if (!std::is_sorted(p.probability.begin(), p.probability.end())) return {};  // the gp prior
  return {std::move(p.probability), std::move(p.lower), std::move(p.upper)};
}

PageSection held_against(const FittedMonotoneCalibrator& fit, const CalibrationTrial& trial) {
  const CalibrationRows& rows = trial.rows;
  const std::vector<double> before = fit.uncalibrated(rows.score), after = fit.log_odds(rows.score);
  double total = 0, positive = 0;
  for (std::size_t i = 0; i < rows.label.size(); ++i) {
    const double w = rows.weight.empty() ? 1.0 : rows.weight[i];
    total += w;
    positive += w * rows.label[i];
  }
  PageSection section{"On " + trial.name, {}};
  section.blocks.emplace_back(Facts{
      {{"rows", std::to_string(rows.score.size())}, {"label 1", number(100 * positive / total) + " %"}}});
  section.blocks.emplace_back(metrics_table(calibration_estimates(before, rows.label, rows.weight),
                                            calibration_estimates(after, rows.label, rows.weight)));
  const auto diagram = [&](const std::vector<double>& log_odds, const std::string& when,
                           const ProbabilityBand& band) {
    const Reliability r = reliability(log_odds, rows.label, rows.weight);
    std::size_t inside = 0;
    for (std::size_t i = 0; i < r.p.size(); ++i)
      inside += r.observed[i] >= r.lower[i] && r.observed[i] <= r.upper[i] ? 1U : 0U;
    const std::string share = number(100.0 * static_cast<double>(inside) / static_cast<double>(r.p.size()));
    section.blocks.emplace_back(
        Picture{reliability_figure(r, log_odds, rows.weight, band), "Reliability " + when + ".",
                "Reliability diagram " + when +
                    ": the isotonic fit of the labels lies inside the 90 % consistency "
                    "band at " +
                    share + " % of the rows. Below it a histogram of the predicted probabilities."});
  };
  diagram(before, "before", {});
  diagram(after, "after", map_band(fit, rows.score));
  return section;
}

// The same number of rows, of different scores and of labels 1.
bool looks_like_training(const CalibratorSummary& s, const CalibrationRows& rows) {
  if (s.rows != rows.score.size()) return false;
  double positive = 0;
  for (std::size_t i = 0; i < rows.label.size(); ++i)
    if (rows.label[i] != 0) positive += rows.weight.empty() ? 1.0 : rows.weight[i];
  return positive == s.positive_weight &&
         std::set<double>(rows.score.begin(), rows.score.end()).size() == s.distinct;
}

std::string verdict(const FittedMonotoneCalibrator& fit, const std::optional<CalibrationTrial>& trial) {
  if (!trial)
    return "Fitted to " + std::to_string(fit.summary().rows) +
           " rows. With a table of scores and labels, this report says how well it does on them.";
  const CalibrationRows& rows = trial->rows;
  const std::vector<double> before = fit.uncalibrated(rows.score), after = fit.log_odds(rows.score);
  PairedLossSums sums;
  std::vector<double> probability;
  std::vector<std::int32_t> label(rows.label.begin(), rows.label.end());
  for (std::size_t i = 0; i < rows.label.size(); ++i) {
    const double sign = rows.label[i] != 0 ? -1 : 1;
    sums.add(softplus(sign * after[i]), softplus(sign * before[i]),
             rows.weight.empty() ? 1.0 : rows.weight[i]);
    const double p = sigmoid(after[i]);
    probability.insert(probability.end(), {1 - p, p});
  }
  return "On " + trial->name + ": " +
         comparison_words("log loss", sums.losses(), "the scores without calibration") +
         "; after calibration " +
         calibration_words(calibration_test(probability, 2, label, rows.weight),
                           calibration_metrics(after, rows.label, rows.weight).smooth_ece) +
         "." + training_rows_words(looks_like_training(fit.summary(), rows));
}

}  // namespace

Page calibration_page(const FittedMonotoneCalibrator& fit, const std::optional<CalibrationTrial>& trial) {
  Page page;
  page.title = "Calibration of " + column_of(fit, "score");
  page.subtitle = "Probability of " + column_of(fit, "label") + " = " + column_of(fit, "positive") + ", " +
                  std::to_string(fit.summary().rows) + " rows";
  page.verdict = verdict(fit, trial);
  page.warnings = fit.warnings();
  page.sections.push_back(map(fit, trial ? trial->rows : CalibrationRows{}));
  if (trial) page.sections.push_back(held_against(fit, *trial));
  page.sections.push_back(fitted(fit));
  page.sections.push_back(make_again(fit));
  return page;
}

}  // namespace linkgistic

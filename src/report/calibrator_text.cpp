#include "report/calibrator_text.hpp"

#include <cmath>
#include <cstdio>

#include "calibration/names.hpp"
#include "report/words.hpp"
#include "text/names.hpp"

namespace linkgistic {
std::string calibrator_text(const FittedMonotoneCalibrator& fit) {
  const CalibratorSummary& s = fit.summary();
  const bool gp = fit.options().prior == PriorKind::gp;
  std::string text = "Calibration of " + column_of(fit, "score") + " for " + column_of(fit, "label") +
                     (gp ? " (gp: not monotone)\n" : "\n");
  text += line("prior", name_of(prior_names(), fit.options().prior) + ", " +
                            std::to_string(fit.options().harmonics) + " harmonics");
  if (fit.options().loss != "log") text += line("base loss", fit.options().loss);
  text += line("rows", std::to_string(s.rows) + ", " + std::to_string(s.distinct) + " different scores");
  text += line("positive", number(100 * s.positive_weight / s.total_weight) + " %");
  text += line("scores", name_of(score_kind_names(), s.score_kind) + ", " + number(s.score_lower) + " to " +
                             number(s.score_upper));
  text += line(
      "line", "log odds " + number(s.intercept) + " + " + number(s.slope) + " x (standardised warped score)");
  text += line("log evidence", number(s.log_evidence));
  text += line("weight of the scores",
               number(s.claimed) + " (uncalibrated, in the average with the learned maps)");
  text += line("bands", fit.posterior());
  text += "\n  bend v       weight     log evidence\n";
  for (const CalibratorComponent& c : s.components) {
    char row[96];
    std::snprintf(row, sizeof row, "  %-12.4g %-10.4f %.5g\n", c.v, c.weight, c.log_evidence);
    text += row;
  }
  return text;
}

std::string weights_text(const ClassCalibratorSummary& summary) {
  std::string text;
  for (const auto& [name, weight] : summary.weights)
    if (weight > 0) text += (text.empty() ? "" : ", ") + name + ' ' + number(weight);
  return text;
}

std::string class_calibrator_text(const FittedClassCalibrator& fit) {
  const ClassCalibratorSummary& s = fit.summary();
  std::string text = "Calibration of " + std::to_string(fit.class_names().size()) + " classes\n";
  text += line("rows", std::to_string(s.rows));
  text += line("scores", name_of(score_kind_names(), s.score_kind));
  text += line("maps", s.maps == ClassMaps::shared ? "one for all classes" : "one for each class");
  // A method without maps tries none.
  if (fit.options().maps == ClassMaps::automatic && std::isfinite(s.one_vs_rest_loss + s.shared_loss)) {
    text += line("cross-validated loss", number(s.one_vs_rest_loss) + " one for each class, " +
                                             number(s.shared_loss) + " one for all");
  }
  text += line("average of", weights_text(s));
  text += line("prior", name_of(prior_names(), fit.options().map.prior) + ", " +
                            std::to_string(fit.options().map.harmonics) + " harmonics");
  if (fit.options().map.loss != "log") text += line("base loss", fit.options().map.loss);
  text += line("bands", fit.posterior());
  return text;
}

}  // namespace linkgistic

#include "report/regression_text.hpp"

#include "report/regression_figure.hpp"
#include "report/words.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

std::string prior_words(const MonotoneRegressionOptions& options) {
  std::string text = name_of(prior_names(), options.prior) + ", ";
  const std::string count = std::to_string(options.harmonics);
  text += options.basis == BasisKind::trig ? count + (options.harmonics == 1 ? " harmonic" : " harmonics")
                                           : std::to_string(2 * options.harmonics) + " Gaussian kernels";
  if (options.origin == Origin::shifted) text += ", origin left of the data";
  return text;
}

std::string trust(double smallest_eigenvalue, int floored) {
  const std::string value = number(smallest_eigenvalue) + " (1 = as sure as the prior, towards 0 = flat";
  if (floored == 0) return value + ")";
  return value + "; " + std::to_string(floored) + " raised to the floor)";
}

}  // namespace

std::string hyper_parameter_meaning(const FittedMonotoneRegression& fit, const std::string& name) {
  const MonotoneRegressionOptions& options = fit.options();
  const std::string x = x_name(fit), y = y_name(fit);
  const std::string slope = y + " per " + x;
  const bool gp = options.prior == PriorKind::gp;
  const bool kernels = options.basis == BasisKind::nystrom;
  if (name == "a" && kernels) return "1 / (length scale of " + x + ")^2";
  if (name == "a") return "decay of the harmonics, above 1: greater is smoother";
  if (name == "b" && gp) return "scale of the curve's variance a priori, in " + y + "^2";
  if (name == "b") return "scale of the slope a priori, in " + slope;
  if (name == "v") return "share of the slope free to bend: near 0 a straight line";
  if (name == "scale") return "mean slope a priori, in " + slope;
  if (name == "gamma" && options.origin == Origin::shifted) return "not used with a shifted origin";
  if (name == "gamma") return "1 / (variance of the level a priori), in 1/" + y + "^2";
  if (name == "mu") return "level a priori, in " + y;
  if (name == "noise") return "standard deviation of " + y + " around the curve";
  return "";
}

std::string regression_text(const FittedMonotoneRegression& fit) {
  const RegressionSummary& s = fit.summary();
  const bool gp = fit.options().prior == PriorKind::gp;
  std::string text = "Monotone regression of " + y_name(fit) + " on " + x_name(fit) + "\n";
  if (gp) text = "Regression of " + y_name(fit) + " on " + x_name(fit) + " (gp: not monotone)\n";
  text += line("prior", prior_words(fit.options()));
  std::string rows = std::to_string(s.rows);
  const auto weight = fit.columns().find("weight");
  if (weight != fit.columns().end()) {
    rows += ", weighted by " + weight->second + ", total " + number(s.total_weight);
  }
  text += line("rows", rows);
  text += line("range of " + x_name(fit), number(s.x_lower) + " to " + number(s.x_upper) +
                                              ", outside it straight on with the slope at the edge");
  if (!gp) text += line("direction", s.decreasing ? "decreasing" : "increasing");
  text += line("point estimate", s.point_estimate + " of the posterior");
  if (!s.posterior.empty()) text += line("posterior", s.posterior);
  const bool bound = fit.options().inference == Inference::variational && s.point_estimate == "mean";
  text += line("log evidence", (bound ? "at least " : "") + number(s.log_evidence));
  text += line("smallest eigenvalue", trust(s.smallest_eigenvalue, s.floored));
  text += line("search", s.stop + ", " + std::to_string(s.evaluations) + " evaluations");
  text += "\n  " + padded("hyper-parameter", 17) + padded("value", 13) + padded("", 9) + "meaning\n";
  for (const HyperValue& hyper : s.hyper_parameters) {
    text += "  " + padded(hyper.name, 17) + padded(number(hyper.value), 13) +
            padded(hyper.learned ? "learned" : "held", 9) + hyper_parameter_meaning(fit, hyper.name) + "\n";
  }
  return text;
}

std::string time_text(const RegressionSummary& s) {
  const double total = s.seconds_data + s.seconds_search + s.seconds_posterior;
  return line("time", number(total) + " s: data " + number(s.seconds_data) + ", search " +
                          number(s.seconds_search) + ", posterior " + number(s.seconds_posterior));
}

}  // namespace linkgistic

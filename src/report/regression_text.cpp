#include "report/regression_text.hpp"

#include <algorithm>
#include <utility>

#include "regression/fit.hpp"
#include "regression/shape.hpp"
#include "report/response_words.hpp"
#include "report/words.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

std::string prior_words(const MonotoneRegressionOptions& options) {
  std::string text = name_of(prior_names(), options.prior) + ", ";
  const std::string count = std::to_string(options.harmonics);
  text += options.basis == BasisKind::trig ? count + (options.harmonics == 1 ? " harmonic" : " harmonics")
                                           : std::to_string(2 * options.harmonics) + " Gaussian kernels";
  if (options.spectrum != SpectrumKind::analytic)
    text += ", spectrum " + name_of(spectrum_names(), options.spectrum);
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
  const auto hyper = regression_hyper_parameter(fit, name);
  std::string text = hyper ? hyper->meaning : "";
  if (name == "noise" && fit.options().noise == NoiseKind::smooth) text += ", root mean square of the rows";
  // The source's own are on the scale of the link.
  const auto own = regression_response(fit.options())->hyper_parameters();
  const bool of_response = std::any_of(own.begin(), own.end(), [&](const auto& h) { return h.name == name; });
  for (const auto& [mark, column] : {std::pair{"{x}", column_of(fit, "x")},
                                     {"{y}", of_response ? column_of(fit, "y") : link_words(fit)}}) {
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + column.size()))
      text.replace(at, 3, column);
  }
  return text;
}

std::string regression_text(const FittedMonotoneRegression& fit) {
  const RegressionSummary& s = fit.summary();
  const CurveShape shape = shape_of(fit.options());
  std::string text = (shape.monotone ? "Monotone regression of " : "Regression of ") + column_of(fit, "y") +
                     " on " + column_of(fit, "x");
  text += fit.options().prior == PriorKind::gp ? " (gp: not monotone)\n" : "\n";
  if (fit.options().response != ResponseKind::gaussian) text += line("response", response_words(fit));
  text += line("prior", prior_words(fit.options()));
  if (!s.spectra.empty()) {
    std::string evidences;
    for (const auto& [name, value] : s.spectra)
      evidences += (evidences.empty() ? "" : ", ") + name + " " + number(value);
    text += line("log evidences", evidences);
  }
  std::string rows = std::to_string(s.rows);
  const auto weight = fit.columns().find("weight");
  if (weight != fit.columns().end()) {
    rows += ", weighted by " + weight->second + ", total " + number(s.total_weight);
  }
  text += line("rows", rows);
  text += line("range of " + column_of(fit, "x"), number(s.x_lower) + " to " + number(s.x_upper) +
                                                      ", outside it straight on with the slope at the edge");
  if (fit.options().noise == NoiseKind::smooth) text += line("noise", noise_words(fit));
  if (shape.monotone) text += line("direction", s.decreasing ? "decreasing" : "increasing");
  if (shape.curvature != 0) text += line("curvature", shape.curvature > 0 ? "convex" : "concave");
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

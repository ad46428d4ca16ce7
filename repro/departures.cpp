#include "repro/departures.hpp"

#include "classification/data.hpp"
#include "classification/link_constants.hpp"
#include "text/print_number.hpp"

namespace linkgistic::repro {
namespace {

std::string on_off(bool value) { return value ? "yes" : "no"; }

std::string basis_size(int harmonics) {
  return std::to_string(2 * harmonics) + " (K = " + std::to_string(harmonics) + ")";
}

std::string cross_fit_text(const std::optional<bool>& cross_fit) {
  if (cross_fit) return on_off(*cross_fit);
  return "below " + std::to_string(few_rows) + " rows";
}

PageTable settings_table(const std::string& what, std::vector<TableRow> rows) {
  return {
      "Settings of " + what + ", from the options of the fits; what the paper does not print is our choice",
      {"Setting", "Paper", "As printed", "Ours"},
      std::move(rows)};
}

}  // namespace

PageTable regression_settings(const PrintedRegressionOptions& printed,
                              const MonotoneRegressionOptions& ours) {
  return settings_table(
      "the univariate fits",
      {{"basis functions M", {"64", basis_size(printed.harmonics), basis_size(ours.harmonics)}},
       {"least whitened curvature in the evidence",
        {"none", shortest(printed.curvature_floor), shortest(ours.curvature_floor)}},
       {"priors on hyper-parameters", {"none", on_off(printed.hyper_priors), "yes, weak"}},
       {"prediction",
        {"mean of the lemma", "mean of the lemma; the mode beside it", "mode; mean (variational)"}},
       {"beyond the training rows", {"not printed", "the formula", "straight"}},
       {"period", {"not printed", "twice the range of all rows", "twice the range of the training rows"}},
       {"hyper-parameters in the band", {"not printed", "held", "integrated out"}}});
}

PageTable linkgistic_settings(const PrintedLinkgisticOptions& printed, const LinkgisticOptions& ours,
                              const std::string& ridge_of_ours) {
  const auto number = [](double value) { return shortest(value); };
  using Constants = LinkConstants;
  return settings_table(
      "Linkgistic",
      {{"basis functions M", {"64", basis_size(printed.harmonics), basis_size(ours.harmonics)}},
       {"a, \u03B3, \u03BC",
        {"1.2, 0.01, 0", number(printed.a) + ", " + number(printed.gamma) + ", " + number(printed.mu),
         number(Constants::decay) + ", " + number(Constants::level_precision) + ", 0"}},
       {"b of ISGP",
        {"k(0,0) = 1", "k(0,0) = " + number(printed.size), "k(0,0) = " + number(Constants::size)}},
       {"b of GP",
        {"fixed, tuned on the test rows", "fixed, tuned on the test rows",
         ours.learn_hyper ? "by evidence, a too" : "by evidence, at every E-step"}},
       {"links in the M-step",
        {"S draws, S not printed", std::to_string(printed.samples) + " draws",
         ours.samples > 0 ? std::to_string(ours.samples) + " draws" : "the mode"}},
       {"links from held-out scores (cross-fitting)", {"no", "no", cross_fit_text(ours.cross_fit)}},
       {"ridge", {"none", printed.l2 > 0 ? number(printed.l2) : "none", ridge_of_ours}},
       {"scale moved to a mean slope of 1 after each E-step", {"no", "no", "yes"}},
       {"least whitened curvature", {"none", number(printed.curvature_floor), "1"}},
       {"EM steps at most",
        {"not printed", std::to_string(printed.em_iterations) + ", the last is kept",
         std::to_string(ours.em_iterations) + ", the best is kept"}},
       {"probabilities", {"mean over the posterior", "mean over draws", "at the mode"}}});
}

}  // namespace linkgistic::repro

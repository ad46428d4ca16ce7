#include "classification/ending.hpp"

#include <algorithm>

#include "classification/fit.hpp"
#include "text/message.hpp"
#include "text/print_number.hpp"

namespace linkgistic {

std::string stop_reason(const EmResult& fit, bool interrupted) {
  if (interrupted) return "interrupted";
  if (fit.links.front().is_identity() && fit.trace.size() == 1) {
    for (const ClassFit& c : fit.solves) {
      if (c.stop != SolverStop::converged) return std::string(to_string(c.stop));
    }
  }
  switch (fit.stop) {
    case EmStop::converged:
      return "converged";
    case EmStop::no_rise:
      return "no further rise";
    case EmStop::iteration_limit:
      break;
  }
  return "iteration limit";
}

std::vector<std::string> solver_warnings(const ClassifierSummary& summary,
                                         const std::vector<std::size_t>& separated) {
  std::vector<std::string> warnings;
  for (std::size_t k = 0; k < summary.classes.size(); ++k) {
    const ClassSummary& c = summary.classes[k];
    const bool has_no_end = std::find(separated.begin(), separated.end(), k) != separated.end();
    if (c.solver_stop == to_string(SolverStop::pass_limit) && !has_no_end) {
      warnings.push_back(summary.softmax ? "the coefficients have not converged"
                                         : "class '" + c.name + "': its coefficients have not converged");
      if (summary.softmax) break;  // they are one problem
    }
  }
  if (separated.empty()) return warnings;
  const std::string names =
      joined(separated, ", ", [&](std::size_t k) { return "'" + summary.classes[k].name + "'"; });
  warnings.push_back((separated.size() == 1 ? "class " : "classes ") + names +
                     ": a plane separates the rows, so that without l2 the best coefficients are infinite; "
                     "they end where the mean training loss is 0.001: choose an l2");
  return warnings;
}

std::vector<std::string> search_warnings(const EmResult& fit, bool interrupted) {
  // A link at fixed coefficients is no search; what the solver did not reach is told of each class; and
  // without a ridge EM ends with the first step that lowers the evidence.
  if (fit.converged() || interrupted || fit.trace.size() <= 1 || fit.l2 == 0) return {};
  const auto [least, most] = std::minmax_element(
      fit.trace.begin() + static_cast<std::ptrdiff_t>(fit.trace.size() / 2), fit.trace.end(),
      [](const EmRecord& a, const EmRecord& b) { return a.objective < b.objective; });
  return {"the search for link and coefficients did not converge (" + stop_reason(fit, false) +
          "): the objective of the second half of its steps is between " + number(least->objective) +
          " and " + number(most->objective) + ", and the best step is kept"};
}

std::vector<std::string> row_warnings(const TrainingFacts& facts, const LinkgisticOptions& options) {
  std::vector<std::string> warnings;
  for (const auto& [label, rows] : facts.small_classes) {
    warnings.push_back("class '" + facts.class_names[static_cast<std::size_t>(label)] + "' has " +
                       counted(rows, "row") + ", fewer than the " + std::to_string(options.cv) +
                       " parts of the cross-validation: none is held out, and its probabilities are rough");
  }
  if (facts.parts == 0 && (facts.cross_fit || !options.l2))
    warnings.push_back("there are too few rows of each class to hold any out: l2 is " +
                       shortest(options.l2.value_or(l2_of_few_rows)) + ", and no link is learned");
  return warnings;
}

}  // namespace linkgistic

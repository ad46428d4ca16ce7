#include "classification/ending.hpp"

#include <algorithm>

#include "text/message.hpp"

namespace linkgistic {

std::string stop_reason(const EmResult& fit, bool interrupted) {
  if (interrupted) return "interrupted";
  if (fit.links.front().is_identity() && fit.trace.size() == 1) {
    for (const ClassFit& c : fit.solves) {
      if (c.stop != SolverStop::converged) return std::string(to_string(c.stop));
    }
  }
  return fit.converged ? "converged" : "iteration limit";
}

std::vector<std::string> solver_warnings(const ClassifierSummary& summary,
                                         const std::vector<std::size_t>& separated) {
  std::vector<std::string> warnings;
  for (std::size_t k = 0; k < summary.classes.size(); ++k) {
    const ClassSummary& c = summary.classes[k];
    const bool has_no_end = std::find(separated.begin(), separated.end(), k) != separated.end();
    if (c.solver_stop == to_string(SolverStop::pass_limit) && !has_no_end)
      warnings.push_back("class '" + c.name + "': its coefficients have not converged");
  }
  if (separated.empty()) return warnings;
  const std::string names =
      joined(separated, ", ", [&](std::size_t k) { return "'" + summary.classes[k].name + "'"; });
  warnings.push_back((separated.size() == 1 ? "class " : "classes ") + names +
                     ": a plane separates the rows, so that without l2 the best coefficients are infinite; "
                     "they end where the mean training loss is 0.001: choose an l2");
  return warnings;
}

}  // namespace linkgistic

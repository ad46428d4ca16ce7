// How a fit ended, in words.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/em.hpp"
#include "classification/facts.hpp"

namespace linkgistic {

/// "converged", "interrupted", ...
std::string stop_reason(const EmResult& fit, bool interrupted);

/// Of coefficients that have not converged, and of those that have no end since a plane separates their rows.
std::vector<std::string> solver_warnings(const ClassifierSummary& summary,
                                         const std::vector<std::size_t>& separated);

/// Of an EM that neither settled nor was stopped.
std::vector<std::string> search_warnings(const EmResult& fit, bool interrupted);

/// Of classes that have too few rows to hold any out, and of rows that are too few to choose l2 or v by.
std::vector<std::string> row_warnings(const TrainingFacts& facts, const LinkgisticOptions& options);

}  // namespace linkgistic

// The fields of a classifier's summary, one line each.
#pragma once

#include <linkgistic/linkgistic_classifier.hpp>

#include "text/fields.hpp"

namespace linkgistic {

inline const auto& fields(const EmStep&) {
  using E = EmStep;
  static const auto table = std::make_tuple(field("step", &E::step), field("objective", &E::objective),
                                            field("mean_loss", &E::mean_loss), field("passes", &E::passes));
  return table;
}

inline const auto& fields(const ClassSummary&) {
  using C = ClassSummary;
  static const auto table = std::make_tuple(
      field("name", &C::name), field("weight", &C::weight), field("log_evidence", &C::log_evidence),
      field("smallest_eigenvalue", &C::smallest_eigenvalue), field("slope", &C::slope),
      field("score_lower", &C::score_lower), field("score_upper", &C::score_upper),
      field("solver_stop", &C::solver_stop), field("gradient_ratio", &C::gradient_ratio));
  return table;
}

inline const auto& fields(const ClassifierSummary&) {
  using S = ClassifierSummary;
  static const auto table = std::make_tuple(
      field("rows", &S::rows), field("columns", &S::columns), field("l2", &S::l2),
      field("l2_chosen", &S::l2_chosen), field("v", &S::v), field("v_chosen", &S::v_chosen),
      field("softmax", &S::softmax).later(), field("pairwise", &S::pairwise).later(),
      field("v_shared", &S::v_shared).later(), field("converged", &S::converged), field("stop", &S::stop),
      field("classes", &S::classes), field("trace", &S::trace), field("cross_fitted", &S::cross_fitted),
      field("l2_tried", &S::l2_tried), field("v_tried", &S::v_tried),
      field("log_bayes_factor", &S::log_bayes_factor).later(), field("posterior", &S::posterior).later(),
      field("warnings", &S::warnings), field("seconds_posterior", &S::seconds_posterior).not_in_file());
  return table;
}

}  // namespace linkgistic

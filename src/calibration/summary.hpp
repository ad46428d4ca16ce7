// The fields of a calibrator's summary, one line each.
#pragma once

#include <linkgistic/class_calibrator.hpp>

#include "calibration/names.hpp"
#include "text/fields.hpp"

namespace linkgistic {

inline const auto& fields(const CalibratorComponent&) {
  using C = CalibratorComponent;
  static const auto table =
      std::make_tuple(field("v", &C::v), field("log_evidence", &C::log_evidence), field("weight", &C::weight),
                      field("smallest_eigenvalue", &C::smallest_eigenvalue),
                      field("iterations", &C::iterations), field("converged", &C::converged));
  return table;
}

inline const auto& fields(const CalibratorSummary&) {
  using S = CalibratorSummary;
  static const auto table = std::make_tuple(
      field("rows", &S::rows), field("total_weight", &S::total_weight),
      field("positive_weight", &S::positive_weight), field("distinct", &S::distinct),
      field("score_kind", &S::score_kind, &score_kind_names()), field("score_lower", &S::score_lower),
      field("score_upper", &S::score_upper), field("slope", &S::slope), field("intercept", &S::intercept),
      field("log_evidence", &S::log_evidence), field("gp_log_evidence", &S::gp_log_evidence),
      field("claimed", &S::claimed), field("components", &S::components), field("warnings", &S::warnings),
      field("seconds", &S::seconds).not_in_file());
  return table;
}

/// Without the summaries of its maps, which are in their own files.
inline const auto& fields(const ClassCalibratorSummary&) {
  using S = ClassCalibratorSummary;
  static const auto table =
      std::make_tuple(field("rows", &S::rows), field("score_kind", &S::score_kind, &score_kind_names()),
                      field("maps", &S::maps, &class_maps_names()),
                      field("one_vs_rest_loss", &S::one_vs_rest_loss), field("shared_loss", &S::shared_loss),
                      field("weights", &S::weights).later(), field("interrupted", &S::interrupted).later(),
                      field("warnings", &S::warnings).later(), field("seconds", &S::seconds).not_in_file());
  return table;
}

}  // namespace linkgistic

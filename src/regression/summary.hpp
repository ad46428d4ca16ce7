// The fields of a regression's summary, one line each.
#pragma once

#include <linkgistic/monotone_regression.hpp>

#include "text/fields.hpp"

namespace linkgistic {

inline const auto& fields(const HyperValue&) {
  using H = HyperValue;
  static const auto table =
      std::make_tuple(field("name", &H::name), field("value", &H::value), field("learned", &H::learned));
  return table;
}

inline const auto& fields(const EvidenceProfile&) {
  using P = EvidenceProfile;
  static const auto table = std::make_tuple(field("name", &P::name), field("values", &P::values),
                                            field("log_evidence", &P::log_evidence));
  return table;
}

inline const auto& fields(const RegressionSummary&) {
  using S = RegressionSummary;
  static const std::map<std::string, bool> decreasing{{"increasing", false}, {"decreasing", true}};
  static const auto table = std::make_tuple(
      field("rows", &S::rows), field("total_weight", &S::total_weight), field("x_lower", &S::x_lower),
      field("x_upper", &S::x_upper), field("direction", &S::decreasing, &decreasing),
      field("point_estimate", &S::point_estimate), field("posterior", &S::posterior).later(),
      field("pareto_k", &S::pareto_k).later(), field("hyper_parameters", &S::hyper_parameters),
      field("log_evidence", &S::log_evidence), field("smallest_eigenvalue", &S::smallest_eigenvalue),
      field("floored_eigenvalues", &S::floored), field("converged", &S::converged), field("stop", &S::stop),
      field("evaluations", &S::evaluations), field("bounds", &S::bounds).later().left_out_at_default(),
      field("trace", &S::trace), field("warnings", &S::warnings), field("spectra", &S::spectra).not_in_file(),
      field("seconds_data", &S::seconds_data).not_in_file(),
      field("seconds_search", &S::seconds_search).not_in_file(),
      field("seconds_posterior", &S::seconds_posterior).not_in_file());
  return table;
}

}  // namespace linkgistic

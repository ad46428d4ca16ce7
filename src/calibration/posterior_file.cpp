#include "calibration/posterior_file.hpp"

#include <limits>

#include <linkgistic/error.hpp>

#include "calibration/fitted.hpp"
#include "model_file/json_values.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

// JSON has no infinity: null.
double number(const json& j) {
  return j.is_null() ? std::numeric_limits<double>::infinity() : j.get<double>();
}

json chains_to_json(const SamplingDiagnostics& d) {
  return {{"r_hat", d.curve.r_hat},
          {"bulk_ess", d.curve.bulk_ess},
          {"tail_ess", d.curve.tail_ess},
          {"chains", d.chains},
          {"draws", d.draws},
          {"divergences", d.divergences}};
}

SamplingDiagnostics chains_from_json(const json& j) {
  SamplingDiagnostics d;
  d.curve.r_hat = number(j.at("r_hat"));
  d.curve.bulk_ess = number(j.at("bulk_ess"));
  d.curve.tail_ess = number(j.at("tail_ess"));
  d.hyper = d.curve;  // none is learned
  d.chains = whole_number<int>(j.at("chains"));
  d.draws = whole_number<int>(j.at("draws"));
  d.divergences = whole_number<int>(j.at("divergences"));
  return d;
}

}  // namespace

json bands_to_json(const CalibrationPosterior& posterior, Inference inference) {
  json j = {{"draws", columns_to_json(posterior.g)}};
  if (inference == Inference::mcmc) {
    j["chains"] = chains_to_json(posterior.chains);
  } else {
    j["pareto_k"] = posterior.quality.pareto_k;
  }
  return j;
}

CalibrationPosterior bands_from_json(const json& j, const FittedCalibratorState& state) {
  CalibrationPosterior result;
  result.g = columns_from_json(j.at("draws"), bands_source(state).dimension(), "bands.draws");
  if (result.g.cols() != calibration_draw_count) throw InputError("bands.draws has the wrong size");
  if (state.options.inference == Inference::mcmc) {
    result.chains = chains_from_json(j.at("chains"));
    result.quality = chain_quality(result.chains);
  } else {
    result.quality = gaussian_quality(state.options.inference, number(j.at("pareto_k")), true);
  }
  return result;
}

}  // namespace linkgistic

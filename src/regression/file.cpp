// A fitted regression as JSON: what it takes to predict, and what was learned. No timings, so that the same
// data, options and seed give the same bytes.
#include "regression/file.hpp"

#include <cmath>
#include <vector>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "inference/sample_posterior.hpp"
#include "model_file/fields_json.hpp"
#include "model_file/json_values.hpp"
#include "model_file/model_file.hpp"
#include "model_file/posterior_file.hpp"
#include "regression/fit.hpp"
#include "regression/fitted.hpp"
#include "regression/noise.hpp"
#include "regression/options.hpp"
#include "regression/summary.hpp"
#include "response/gaussian.hpp"
#include "response/responses.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* regression_kind = "monotone regression";

RegressionSummary summary_from_json(const json& j) {
  RegressionSummary s;
  fields_from_json(j, s);
  if (s.point_estimate != "mode" && s.point_estimate != "mean")
    throw InputError("point_estimate '" + s.point_estimate + "' is not known");
  return s;
}

json noise_to_json(const NoiseCurve& noise) {
  return {{"theta", to_std(noise.theta)},
          {"level", noise.level},
          {"posterior", posterior_to_json(*noise.posterior)}};
}

std::shared_ptr<const NoiseCurve> noise_from_json(const json& j, const MonotoneRegressionOptions& options) {
  auto noise = std::make_shared<NoiseCurve>();
  const auto family = make_family(noise_options(options), false);
  noise->theta = to_vector(j.at("theta"));
  if (noise->theta.size() != static_cast<Index>(family->hyper_parameters().size()))
    throw InputError("noise.theta has the wrong size");
  noise->source = family->at(noise->theta);
  noise->level = j.at("level").get<double>();
  noise->posterior = std::dynamic_pointer_cast<const GaussianPosterior>(
      posterior_from_json(j.at("posterior"), noise->source));
  if (!noise->posterior) throw InputError("noise.posterior must be Gaussian");
  // Its exponential must be a number, and so must the inverse.
  constexpr double most = 600;
  const std::vector<double> t = to_std(Vector::LinSpaced(129, -1, 1));
  if (!(noise->values(Places(t), 1).cwiseAbs().maxCoeff() < most))
    throw InputError("noise has a number that is too large");
  return noise;
}

std::shared_ptr<FittedRegressionState> state_from_json(const json& j) {
  auto state = std::make_shared<FittedRegressionState>();
  state->options = options_from_json<MonotoneRegressionOptions>(j.at("options"));
  state->columns = j.at("columns").get<std::map<std::string, std::string>>();
  state->summary = summary_from_json(j.at("summary"));
  const json& scaling = j.at("scaling");
  state->scaling = {scaling.at("x_middle").get<double>(), scaling.at("x_half").get<double>(),
                    scaling.at("y_shift").get<double>(), scaling.at("y_scale").get<double>()};
  const auto usable = [](double scale) { return scale != 0 && std::isfinite(1 / scale); };
  if (!usable(state->scaling.x_half) || !usable(state->scaling.y_scale))
    throw InputError("scaling is not possible");

  state->response = regression_response(state->options);
  const auto family = make_family(state->options, state->response->has_units());
  const auto n_source = static_cast<Index>(family->hyper_parameters().size());
  const auto n_response = static_cast<Index>(state->response->hyper_parameters().size());
  state->theta = to_vector(j.at("theta"));
  if (state->theta.size() != n_source + n_response) throw InputError("theta has the wrong size");
  state->source = family->at(state->theta.head(n_source));
  state->posterior = posterior_from_json(j.at("posterior"), state->source);
  if (j.contains("noise")) state->noise = noise_from_json(j.at("noise"), state->options);
  if ((state->options.noise == NoiseKind::smooth) != (state->noise != nullptr))
    throw InputError("noise and its option do not belong together");
  for (const json& p : j.at("profiles")) fields_from_json(p, state->profiles.emplace_back());
  state->options.profiles = !state->profiles.empty();
  return state;
}

}  // namespace

std::string FittedMonotoneRegression::to_json() const {
  const FittedRegressionState& s = *state_;
  json j = model_head(regression_kind);
  j["columns"] = s.columns;
  j["options"] = fields_to_json(s.options);
  j["summary"] = fields_to_json(s.summary);
  j["scaling"] = {{"x_middle", s.scaling.x_middle},
                  {"x_half", s.scaling.x_half},
                  {"y_shift", s.scaling.y_shift},
                  {"y_scale", s.scaling.y_scale}};
  j["theta"] = to_std(s.theta);
  j["posterior"] = posterior_to_json(*s.posterior);
  const auto* samples = dynamic_cast<const SamplePosterior*>(s.posterior.get());
  if (samples != nullptr && s.options.response == ResponseKind::gaussian) {
    j["posterior"]["noise"] =
        to_std(GaussianResponse::noises(samples->draws().theta.bottomRows(s.eta().size())));
  }
  if (s.noise) j["noise"] = noise_to_json(*s.noise);
  j["profiles"] = json::array();
  for (const auto& p : s.profiles) j["profiles"].push_back(fields_to_json(p));
  return model_text(j);
}

FittedMonotoneRegression regression_from(const ModelFile& file) {
  return read_model(file, regression_kind,
                    [](const json& j) { return FittedMonotoneRegression(state_from_json(j)); });
}

FittedMonotoneRegression FittedMonotoneRegression::from_json(const std::string& text,
                                                             const std::string& origin) {
  return regression_from(parse_model(text, origin));
}

void FittedMonotoneRegression::save(const std::string& path) const { save_model(*this, path); }

FittedMonotoneRegression FittedMonotoneRegression::load(const std::string& path) {
  return from_json(read_model_text(path), path);
}

}  // namespace linkgistic

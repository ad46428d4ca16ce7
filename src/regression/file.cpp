// A fitted regression as JSON: what it takes to predict, and what was learned. No timings, so that the same
// data, options and seed give the same bytes.
#include <cmath>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "inference/sample_posterior.hpp"
#include "io/atomic_file.hpp"
#include "model_file/json_values.hpp"
#include "model_file/model_file.hpp"
#include "model_file/posterior_file.hpp"
#include "regression/fitted.hpp"
#include "response/gaussian.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* regression_kind = "monotone regression";

// Numbers of a trace or profile, where JSON's null stands for one that is not finite.
std::vector<double> to_values(const json& j) {
  std::vector<double> values;
  for (const json& value : j) values.push_back(value.is_null() ? std::nan("") : value.get<double>());
  return values;
}

json options_to_json(const MonotoneRegressionOptions& o) {
  return {{"prior", name_of(prior_names(), o.prior)},
          {"basis", name_of(basis_names(), o.basis)},
          {"origin", name_of(origin_names(), o.origin)},
          {"direction", name_of(direction_names(), o.direction)},
          {"harmonics", o.harmonics},
          {"fixed", o.fixed},
          {"inference", name_of(inference_names(), o.inference)},
          {"draws", o.draws},
          {"curvature_floor", o.curvature_floor},
          {"seed", o.seed}};
}

MonotoneRegressionOptions options_from_json(const json& j) {
  MonotoneRegressionOptions o;
  o.prior = value_of(prior_names(), j.at("prior").get<std::string>());
  o.basis = value_of(basis_names(), j.at("basis").get<std::string>());
  o.origin = value_of(origin_names(), j.at("origin").get<std::string>());
  o.direction = value_of(direction_names(), j.at("direction").get<std::string>());
  o.harmonics = j.at("harmonics").get<int>();
  o.fixed = j.at("fixed").get<std::map<std::string, double>>();
  o.inference = value_of(inference_names(), j.value("inference", "laplace"));
  o.draws = j.value("draws", o.draws);
  o.curvature_floor = j.at("curvature_floor").get<double>();
  o.seed = j.at("seed").get<std::uint64_t>();
  MonotoneRegression check(o);  // throws when an option cannot be
  return o;
}

json summary_to_json(const RegressionSummary& s) {
  json hyper = json::array();
  for (const auto& h : s.hyper_parameters) {
    hyper.push_back({{"name", h.name}, {"value", h.value}, {"learned", h.learned}});
  }
  return {{"rows", s.rows},
          {"total_weight", s.total_weight},
          {"x_lower", s.x_lower},
          {"x_upper", s.x_upper},
          {"direction", s.decreasing ? "decreasing" : "increasing"},
          {"point_estimate", s.point_estimate},
          {"posterior", s.posterior},
          {"pareto_k", s.pareto_k},
          {"hyper_parameters", hyper},
          {"log_evidence", s.log_evidence},
          {"smallest_eigenvalue", s.smallest_eigenvalue},
          {"floored_eigenvalues", s.floored},
          {"converged", s.converged},
          {"stop", s.stop},
          {"evaluations", s.evaluations},
          {"trace", s.trace},
          {"warnings", s.warnings}};
}

RegressionSummary summary_from_json(const json& j) {
  RegressionSummary s;
  s.rows = j.at("rows").get<std::size_t>();
  s.total_weight = j.at("total_weight").get<double>();
  s.x_lower = j.at("x_lower").get<double>();
  s.x_upper = j.at("x_upper").get<double>();
  s.decreasing = j.at("direction").get<std::string>() == "decreasing";
  s.point_estimate = j.at("point_estimate").get<std::string>();
  if (s.point_estimate != "mode" && s.point_estimate != "mean")
    throw InputError("point_estimate '" + s.point_estimate + "' is not known");
  s.posterior = j.value("posterior", "");
  if (j.contains("pareto_k") && j["pareto_k"].is_number()) s.pareto_k = j["pareto_k"].get<double>();
  for (const auto& h : j.at("hyper_parameters")) {
    s.hyper_parameters.push_back(
        {h.at("name").get<std::string>(), h.at("value").get<double>(), h.at("learned").get<bool>()});
  }
  s.log_evidence = j.at("log_evidence").get<double>();
  s.smallest_eigenvalue = j.at("smallest_eigenvalue").get<double>();
  s.floored = j.at("floored_eigenvalues").get<int>();
  s.converged = j.at("converged").get<bool>();
  s.stop = j.at("stop").get<std::string>();
  s.evaluations = j.at("evaluations").get<int>();
  s.trace = to_values(j.at("trace"));
  s.warnings = j.at("warnings").get<std::vector<std::string>>();
  return s;
}

std::shared_ptr<FittedRegressionState> state_from_json(const json& j) {
  auto state = std::make_shared<FittedRegressionState>();
  state->options = options_from_json(j.at("options"));
  state->columns = j.at("columns").get<std::map<std::string, std::string>>();
  state->summary = summary_from_json(j.at("summary"));
  const json& scaling = j.at("scaling");
  state->scaling = {scaling.at("x_middle").get<double>(), scaling.at("x_half").get<double>(),
                    scaling.at("y_shift").get<double>(), scaling.at("y_scale").get<double>()};
  if (!(state->scaling.x_half > 0) || state->scaling.y_scale == 0)
    throw InputError("scaling is not possible");

  const auto family = make_family(state->options);
  state->response = std::make_shared<GaussianResponse>();
  const auto n_source = static_cast<Index>(family->hyper_parameters().size());
  const auto n_response = static_cast<Index>(state->response->hyper_parameters().size());
  state->theta = to_vector(j.at("theta"));
  if (state->theta.size() != n_source + n_response) throw InputError("theta has the wrong size");
  state->source = family->at(state->theta.head(n_source));
  state->posterior = posterior_from_json(j.at("posterior"), state->source);
  for (const auto& p : j.at("profiles")) {
    state->profiles.push_back(
        {p.at("name").get<std::string>(), to_values(p.at("values")), to_values(p.at("log_evidence"))});
  }
  return state;
}

}  // namespace

std::string FittedMonotoneRegression::to_json() const {
  const FittedRegressionState& s = *state_;
  if (!s.response->has_units()) throw std::logic_error("model files are of Gaussian rows");
  json j = model_head(regression_kind);
  j["columns"] = s.columns;
  j["options"] = options_to_json(s.options);
  j["summary"] = summary_to_json(s.summary);
  j["scaling"] = {{"x_middle", s.scaling.x_middle},
                  {"x_half", s.scaling.x_half},
                  {"y_shift", s.scaling.y_shift},
                  {"y_scale", s.scaling.y_scale}};
  j["theta"] = to_std(s.theta);
  j["posterior"] = posterior_to_json(*s.posterior);
  if (const auto* samples = dynamic_cast<const SamplePosterior*>(s.posterior.get())) {
    j["posterior"]["noise"] =
        to_std(GaussianResponse::noises(samples->draws().theta.bottomRows(s.eta().size())));
  }
  j["profiles"] = json::array();
  for (const auto& p : s.profiles) {
    j["profiles"].push_back({{"name", p.name}, {"values", p.values}, {"log_evidence", p.log_evidence}});
  }
  return j.dump(1) + "\n";
}

FittedMonotoneRegression FittedMonotoneRegression::from_json(const std::string& text,
                                                             const std::string& origin) {
  return read_model(text, origin, regression_kind,
                    [](const json& j) { return FittedMonotoneRegression(state_from_json(j)); });
}

void FittedMonotoneRegression::save(const std::string& path) const { write_atomically(path, to_json()); }

FittedMonotoneRegression FittedMonotoneRegression::load(const std::string& path) {
  return from_json(read_model_text(path), path);
}

}  // namespace linkgistic

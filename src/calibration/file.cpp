// A fitted calibrator as JSON: what it takes to predict, and what was learned; the draws behind its bands
// once they have been made. No timings, so that the same data and options give the same bytes.
#include "calibration/file.hpp"

#include <cmath>
#include <memory>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "calibration/fitted.hpp"
#include "calibration/options.hpp"
#include "calibration/posterior_file.hpp"
#include "calibration/source.hpp"
#include "calibration/summary.hpp"
#include "model_file/fields_json.hpp"
#include "model_file/json_values.hpp"
#include "model_file/model_file.hpp"
#include "response/proper_loss_response.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* calibrator_kind = "monotone calibrator";

double finite(const json& j) {
  const double value = j.get<double>();
  if (!std::isfinite(value)) throw InputError("a number is not finite");
  return value;
}

double positive(const json& j, const char* name) {
  const double value = finite(j.at(name));
  if (!(value > 0)) throw InputError(std::string(name) + " is not positive");
  return value;
}

json scale_to_json(const ScoreScale& s) {
  return {{"mirrored", s.mirrored},
          {"unit", s.unit},
          {"lower", s.lower},
          {"upper", s.upper},
          {"lower_infinite", s.lower_infinite},
          {"upper_infinite", s.upper_infinite}};
}

ScoreScale scale_from_json(const json& j, ScoreKind score_kind) {
  ScoreScale s;
  s.kind = score_kind;
  s.mirrored = j.at("mirrored").get<bool>();
  s.unit = positive(j, "unit");
  s.lower = finite(j.at("lower"));
  s.upper = finite(j.at("upper"));
  s.lower_infinite = j.at("lower_infinite").get<bool>();
  s.upper_infinite = j.at("upper_infinite").get<bool>();
  return s;
}

json warp_to_json(const ScoreWarp& w) {
  return {{"knot", w.knot},     {"z", w.z},           {"slope", w.slope},
          {"centre", w.centre}, {"width", w.width},   {"h_mean", w.h_mean},
          {"h_sd", w.h_sd},     {"g_mean", w.g_mean}, {"g_sd", w.g_sd}};
}

ScoreWarp warp_from_json(const json& j) {
  ScoreWarp w;
  w.knot = to_std(to_vector(j.at("knot")));
  w.z = to_std(to_vector(j.at("z")));
  w.slope = to_std(to_vector(j.at("slope")));
  if (w.knot.empty() || w.z.size() != w.knot.size() || w.slope.size() != w.knot.size()) {
    throw InputError("the warp has the wrong size");
  }
  for (std::size_t k = 1; k < w.knot.size(); ++k) {
    if (!(w.knot[k] > w.knot[k - 1] && w.z[k] > w.z[k - 1])) throw InputError("the warp does not increase");
  }
  w.centre = finite(j.at("centre"));
  w.width = positive(j, "width");
  w.h_mean = finite(j.at("h_mean"));
  w.h_sd = positive(j, "h_sd");
  w.g_mean = finite(j.at("g_mean"));
  w.g_sd = positive(j, "g_sd");
  return w;
}

WeightedRows rows_from_json(const json& j) {
  WeightedRows rows;
  rows.x = to_std(to_vector(j.at("q")));
  rows.y = to_std(to_vector(j.at("label")));
  rows.weight = to_std(to_vector(j.at("weight")));
  if (rows.y.size() != rows.size() || rows.weight.size() != rows.size()) {
    throw InputError("rows has the wrong size");
  }
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (!(rows.y[n] == 0 || rows.y[n] == 1) || !(rows.weight[n] >= 0)) {
      throw InputError("a row is out of range");
    }
  }
  return rows;
}

CalibrationComponent component_from_json(const json& j, const CalibrationSource& family, double v,
                                         double weight) {
  CalibrationComponent c;
  c.weight = weight;
  c.source = family.at(v);
  c.mode = to_vector(j.at("mode"));
  const Index d = c.source.dimension();
  if (c.mode.size() != d) throw InputError("mode has the wrong size");
  return c;
}

std::shared_ptr<FittedCalibratorState> calibrator_from_json(const json& j) {
  auto s = std::make_shared<FittedCalibratorState>();
  s->options = options_from_json<CalibratorOptions>(j.at("options"));
  s->base = std::make_shared<BaseLoss>(s->options.loss);
  fields_from_json(j.at("summary"), s->summary);
  s->columns = j.at("columns").get<std::map<std::string, std::string>>();
  s->scale = scale_from_json(j.at("scale"), s->summary.score_kind);
  s->warp = warp_from_json(j.at("warp"));
  const json& line = j.at("line");
  s->line.theta = finite(line.at("theta"));
  s->line.intercept = finite(line.at("intercept"));
  s->origin = finite(j.at("origin"));
  s->length = positive(j, "length");
  s->q_lower = finite(j.at("q_lower"));
  s->q_upper = finite(j.at("q_upper"));
  if (s->q_lower > s->q_upper) throw InputError("the range of the scores is empty");
  const json& components = j.at("components");
  if (components.empty() || components.size() != s->summary.components.size()) {
    throw InputError("components has the wrong size");
  }
  const CalibrationSource family(s->options.prior, s->options.harmonics, s->period(), s->origin, s->prior);
  for (std::size_t k = 0; k < components.size(); ++k) {
    const CalibratorComponent& c = s->summary.components[k];
    if (!(c.weight >= 0 && c.weight <= 1)) throw InputError("a weight is not between 0 and 1");
    s->components.push_back(component_from_json(components[k], family, c.v, c.weight));
  }
  for (const json& c : j.at("claims")) {
    const CalibrationClaim claim{finite(c.at("weight")), finite(c.at("blur"))};
    if (!(claim.weight >= 0 && claim.weight <= 1 && claim.blur >= 0 && claim.blur < 1)) {
      throw InputError("a claim is out of range");
    }
    s->claims.push_back(claim);
  }
  s->rows = rows_from_json(j.at("rows"));
  if (j.contains("bands")) {
    s->draws = std::make_shared<LazyCalibrationDraws>(draw_maps(*s, bands_from_json(j.at("bands"), *s)));
  }
  return s;
}

}  // namespace

std::string FittedMonotoneCalibrator::to_json() const {
  const FittedCalibratorState& s = *state_;
  json j = model_head(calibrator_kind);
  j["options"] = fields_to_json(s.options);
  j["summary"] = fields_to_json(s.summary);
  j["columns"] = s.columns;
  j["scale"] = scale_to_json(s.scale);
  j["warp"] = warp_to_json(s.warp);
  j["line"] = {{"theta", s.line.theta}, {"intercept", s.line.intercept}};
  j["origin"] = s.origin;
  j["length"] = s.length;
  j["q_lower"] = s.q_lower;
  j["q_upper"] = s.q_upper;
  j["components"] = json::array();
  for (const CalibrationComponent& c : s.components) {
    j["components"].push_back({{"mode", to_std(c.mode)}});
  }
  j["claims"] = json::array();
  for (const CalibrationClaim& c : s.claims) j["claims"].push_back({{"weight", c.weight}, {"blur", c.blur}});
  j["rows"] = {{"q", s.rows.x}, {"label", s.rows.y}, {"weight", s.rows.weight}};
  if (const CalibrationDraws* draws = s.draws->made()) {
    j["bands"] = bands_to_json(draws->posterior, s.options.inference);
  }
  return model_text(j);
}

FittedMonotoneCalibrator calibrator_from(const ModelFile& file) {
  return read_model(file, calibrator_kind,
                    [](const json& j) { return FittedMonotoneCalibrator(calibrator_from_json(j)); });
}

FittedMonotoneCalibrator FittedMonotoneCalibrator::from_json(const std::string& text,
                                                             const std::string& origin) {
  return calibrator_from(parse_model(text, origin));
}

void FittedMonotoneCalibrator::save(const std::string& path) const { save_model(*this, path); }

FittedMonotoneCalibrator FittedMonotoneCalibrator::load(const std::string& path) {
  return from_json(read_model_text(path), path);
}

}  // namespace linkgistic

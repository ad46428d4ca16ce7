// A calibrator of many classes as JSON: its maps are calibrators of two classes, each as in its own file.
#include "calibration/file.hpp"

#include <memory>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "calibration/classes/fitted.hpp"
#include "calibration/options.hpp"
#include "calibration/summary.hpp"
#include "model_file/fields_json.hpp"
#include "model_file/json_values.hpp"
#include "model_file/model_file.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* class_calibrator_kind = "class calibrator";

json component_to_json(const ClassComponent& c) {
  json j = {{"name", c.name}, {"weight", c.weight}};
  if (c.scaling)
    j["scaling"] = {{"matrix", c.scaling->matrix}, {"floor", c.scaling->floor}, {"even", c.scaling->even}};
  if (c.maps.empty()) return j;
  j["calibrators"] = json::array();
  for (const auto& map : c.maps) j["calibrators"].push_back(json::parse(map.to_json()));
  return j;
}

ClassComponent component_from_json(const json& j, std::size_t classes) {
  ClassComponent c{j.at("name").get<std::string>(), j.at("weight").get<double>(), {}, {}};
  if (j.contains("scaling")) {
    const json& s = j.at("scaling");
    c.scaling = ClassScaling{to_std(to_vector(s.at("matrix"))), s.at("floor").get<double>(),
                             s.at("even").get<double>()};
    if (c.scaling->matrix.size() != classes * (classes + 1))
      throw InputError("the matrix of " + c.name + " has the wrong size");
  }
  for (const json& map : j.value("calibrators", json::array()))
    c.maps.push_back(calibrator_from(check_model(map, "a calibrator of it")));
  if (!c.maps.empty() && c.maps.size() != classes)
    throw InputError("calibrators of " + c.name + " has the wrong size");
  return c;
}

std::shared_ptr<FittedClassCalibratorState> class_calibrator_from_json(const json& j) {
  auto s = std::make_shared<FittedClassCalibratorState>();
  s->options = options_from_json<ClassCalibratorOptions>(j.at("options"));
  fields_from_json(j.at("summary"), s->summary);
  s->class_names = j.at("class_names").get<std::vector<std::string>>();
  if (s->class_names.size() < 2) throw InputError("there are fewer than two classes");
  s->columns = j.at("columns").get<std::map<std::string, std::string>>();
  for (const json& c : j.at("calibrators")) {
    s->calibrators.push_back(calibrator_from(check_model(c, "a calibrator of it")));
    s->summary.calibrators.push_back(s->calibrators.back().summary());
  }
  const std::size_t expected = s->summary.maps == ClassMaps::shared ? 1 : s->class_names.size();
  if (s->calibrators.size() != expected) throw InputError("calibrators has the wrong size");
  s->maps_weight = j.value("maps_weight", 1.0);
  for (const json& c : j.value("components", json::array()))
    s->components.push_back(component_from_json(c, s->class_names.size()));
  const ScoreKind score_kind = s->options.map.score_kind;
  s->options.map = s->calibrators.front().options();
  s->options.map.score_kind = score_kind;  // the maps take log odds, whatever the scores are
  return s;
}

}  // namespace

std::string FittedClassCalibrator::to_json() const {
  const FittedClassCalibratorState& s = *state_;
  json j = model_head(class_calibrator_kind);
  j["options"] = fields_to_json(s.options);
  j["summary"] = fields_to_json(s.summary);
  j["class_names"] = s.class_names;
  j["columns"] = s.columns;
  j["calibrators"] = json::array();
  for (const auto& c : s.calibrators) j["calibrators"].push_back(json::parse(c.to_json()));
  j["maps_weight"] = s.maps_weight;
  j["components"] = json::array();
  for (const ClassComponent& c : s.components) j["components"].push_back(component_to_json(c));
  return model_text(j);
}

FittedClassCalibrator class_calibrator_from(const ModelFile& file) {
  return read_model(file, class_calibrator_kind,
                    [](const json& j) { return FittedClassCalibrator(class_calibrator_from_json(j)); });
}

FittedClassCalibrator FittedClassCalibrator::from_json(const std::string& text, const std::string& origin) {
  return class_calibrator_from(parse_model(text, origin));
}

void FittedClassCalibrator::save(const std::string& path) const { save_model(*this, path); }

FittedClassCalibrator FittedClassCalibrator::load(const std::string& path) {
  return from_json(read_model_text(path), path);
}

}  // namespace linkgistic

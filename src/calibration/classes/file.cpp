// A calibrator of many classes as JSON: its maps are calibrators of two classes, each as in its own file.
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "calibration/classes/fitted.hpp"
#include "calibration/names.hpp"
#include "io/atomic_file.hpp"
#include "model_file/model_file.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* class_calibrator_kind = "class calibrator";

std::shared_ptr<FittedClassCalibratorState> class_calibrator_from_json(const json& j) {
  auto s = std::make_shared<FittedClassCalibratorState>();
  const json& options = j.at("options");
  s->options.map.score_kind = value_of(score_kind_names(), options.at("score_kind").get<std::string>());
  s->options.maps = value_of(class_maps_names(), options.at("maps").get<std::string>());
  s->options.folds = options.at("folds").get<int>();
  s->options.seed = options.at("seed").get<std::uint64_t>();
  check_options(s->options);
  const json& summary = j.at("summary");
  s->summary.rows = summary.at("rows").get<std::size_t>();
  s->summary.score_kind = value_of(score_kind_names(), summary.at("score_kind").get<std::string>());
  s->summary.maps = value_of(class_maps_names(), summary.at("maps").get<std::string>());
  s->summary.one_vs_rest_loss = summary.at("one_vs_rest_loss").get<double>();
  s->summary.shared_loss = summary.at("shared_loss").get<double>();
  s->summary.interrupted = summary.value("interrupted", false);  // files of before have neither
  s->summary.warnings = summary.value("warnings", std::vector<std::string>());
  s->class_names = j.at("class_names").get<std::vector<std::string>>();
  if (s->class_names.size() < 2) throw InputError("there are fewer than two classes");
  s->columns = j.at("columns").get<std::map<std::string, std::string>>();
  for (const json& c : j.at("calibrators")) {
    s->calibrators.push_back(FittedMonotoneCalibrator::from_json(c.dump(), "a calibrator of it"));
    s->summary.calibrators.push_back(s->calibrators.back().summary());
  }
  const std::size_t expected = s->summary.maps == ClassMaps::shared ? 1 : s->class_names.size();
  if (s->calibrators.size() != expected) throw InputError("calibrators has the wrong size");
  s->options.map.prior = s->calibrators.front().options().prior;
  s->options.map.loss = s->calibrators.front().options().loss;
  s->options.map.harmonics = s->calibrators.front().options().harmonics;
  s->options.map.inference = s->calibrators.front().options().inference;
  s->options.map.seed = s->calibrators.front().options().seed;
  return s;
}

}  // namespace

std::string FittedClassCalibrator::to_json() const {
  const FittedClassCalibratorState& s = *state_;
  json j = model_head(class_calibrator_kind);
  j["options"] = {{"score_kind", name_of(score_kind_names(), s.options.map.score_kind)},
                  {"maps", name_of(class_maps_names(), s.options.maps)},
                  {"folds", s.options.folds},
                  {"seed", s.options.seed}};
  j["summary"] = {{"rows", s.summary.rows},
                  {"score_kind", name_of(score_kind_names(), s.summary.score_kind)},
                  {"maps", name_of(class_maps_names(), s.summary.maps)},
                  {"one_vs_rest_loss", s.summary.one_vs_rest_loss},
                  {"shared_loss", s.summary.shared_loss},
                  {"interrupted", s.summary.interrupted},
                  {"warnings", s.summary.warnings}};
  j["class_names"] = s.class_names;
  j["columns"] = s.columns;
  j["calibrators"] = json::array();
  for (const auto& c : s.calibrators) j["calibrators"].push_back(json::parse(c.to_json()));
  return j.dump(1) + "\n";
}

FittedClassCalibrator FittedClassCalibrator::from_json(const std::string& text, const std::string& origin) {
  return read_model(text, origin, class_calibrator_kind,
                    [](const json& j) { return FittedClassCalibrator(class_calibrator_from_json(j)); });
}

void FittedClassCalibrator::save(const std::string& path) const { write_atomically(path, to_json()); }

FittedClassCalibrator FittedClassCalibrator::load(const std::string& path) {
  return from_json(read_model_text(path), path);
}

}  // namespace linkgistic

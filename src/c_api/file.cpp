// Models from and to files and texts.
#include "calibration/file.hpp"

#include <string>

#include "c_api/model.hpp"
#include "classification/file.hpp"
#include "model_file/model_file.hpp"
#include "regression/file.hpp"

namespace linkgistic::c_api {
namespace {

linkgistic_model::Fit fit_from(const ModelFile& file) {
  const std::string kind = file.kind();
  if (kind == "monotone regression") return regression_from(file);
  if (kind == "monotone calibrator") return calibrator_from(file);
  if (kind == "class calibrator") return class_calibrator_from(file);
  if (kind == "linkgistic classifier") return classifier_from(file);
  throw InputError(file.origin + ": this is a model of kind '" + kind +
                   "'; regressions, calibrators and classifiers can be loaded here");
}

}  // namespace
}  // namespace linkgistic::c_api

using namespace linkgistic;
using namespace linkgistic::c_api;

int linkgistic_load(const char* path, linkgistic_model** model) {
  return give_model(model, [&] {
    const std::string name = &needed(path, "path");
    return fit_from(parse_model(read_model_text(name), name));
  });
}

int linkgistic_from_json(const char* json, linkgistic_model** model) {
  return give_model(model, [&] { return fit_from(parse_model(&needed(json, "json"), "json")); });
}

int linkgistic_save(const linkgistic_model* model, const char* path) {
  return guarded([&] {
    const std::string name = &needed(path, "path");
    std::visit([&](const auto& fit) { fit.save(name); }, needed(model, "model").fit);
  });
}

int linkgistic_to_json(const linkgistic_model* model, char** json) {
  return guarded([&] {
    needed(json, "json") = nullptr;
    *json = std::visit([](const auto& fit) { return copied(fit.to_json()); }, needed(model, "model").fit);
  });
}

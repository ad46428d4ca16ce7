// What a model is: its kind, sizes, names and words.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "c_api/model.hpp"
#include "report/calibrator_text.hpp"
#include "report/classifier_text.hpp"
#include "report/regression_text.hpp"

namespace linkgistic::c_api {
namespace {

const std::vector<std::string>& class_names_of(const linkgistic_model& model) {
  static const std::vector<std::string> none;
  if (const auto* fit = std::get_if<FittedClassCalibrator>(&model.fit)) return fit->class_names();
  if (const auto* fit = std::get_if<FittedLinkgisticClassifier>(&model.fit)) return fit->class_names();
  return none;
}

const char* entry(const std::vector<std::string>& names, std::size_t number, const char* what) {
  if (number >= names.size())
    throw UsageError("number = " + std::to_string(number) + ": the model has " +
                     std::to_string(names.size()) + " " + what);
  return names[number].c_str();
}

std::string words(const FittedMonotoneRegression& fit) { return regression_text(fit); }
std::string words(const FittedMonotoneCalibrator& fit) { return calibrator_text(fit); }
std::string words(const FittedClassCalibrator& fit) { return class_calibrator_text(fit); }
std::string words(const FittedLinkgisticClassifier& fit) {
  return classifier_text(fit) + hyper_text(fit) + coefficient_text(fit) + inference_text(fit) +
         link_text(fit);
}

const std::vector<std::string>& warnings_of(const FittedMonotoneRegression& fit) {
  return fit.summary().warnings;
}
std::vector<std::string> warnings_of(const FittedMonotoneCalibrator& fit) { return fit.warnings(); }
std::vector<std::string> warnings_of(const FittedClassCalibrator& fit) { return fit.warnings(); }
const std::vector<std::string>& warnings_of(const FittedLinkgisticClassifier& fit) {
  return fit.summary().warnings;
}

}  // namespace

std::size_t inputs_of(const linkgistic_model& model) {
  if (const auto* fit = std::get_if<FittedClassCalibrator>(&model.fit)) return fit->class_names().size();
  if (const auto* fit = std::get_if<FittedLinkgisticClassifier>(&model.fit)) return fit->summary().columns;
  return 1;
}

std::size_t classes_of(const linkgistic_model& model) { return class_names_of(model).size(); }

}  // namespace linkgistic::c_api

using namespace linkgistic;
using namespace linkgistic::c_api;

int linkgistic_kind(const linkgistic_model* model, const char** kind) {
  return guarded([&] { needed(kind, "kind") = kind_of(needed(model, "model")); });
}

int linkgistic_inputs(const linkgistic_model* model, size_t* inputs) {
  return guarded([&] { needed(inputs, "inputs") = inputs_of(needed(model, "model")); });
}

int linkgistic_classes(const linkgistic_model* model, size_t* classes) {
  return guarded([&] { needed(classes, "classes") = classes_of(needed(model, "model")); });
}

int linkgistic_class_name(const linkgistic_model* model, size_t number, const char** name) {
  return guarded([&] {
    needed(name, "name") = entry(class_names_of(needed(model, "model")), number, "classes with names");
  });
}

int linkgistic_feature_name(const linkgistic_model* model, size_t number, const char** name) {
  return guarded([&] {
    const auto& fit = fit_of<FittedLinkgisticClassifier>(model, "features with names");
    needed(name, "name") = entry(fit.feature_names(), number, "features");
  });
}

int linkgistic_column(const linkgistic_model* model, const char* role, const char** name) {
  return guarded([&] {
    const std::string wanted = &needed(role, "role");
    needed(name, "name") = nullptr;
    std::visit(
        [&](const auto& fit) {
          if constexpr (requires { fit.columns(); }) {
            const auto found = fit.columns().find(wanted);
            if (found != fit.columns().end()) *name = found->second.c_str();
          }
        },
        needed(model, "model").fit);
  });
}

int linkgistic_name_column(linkgistic_model* model, const char* role, const char* name) {
  return guarded([&] {
    const std::string wanted = &needed(role, "role"), given = &needed(name, "name");
    std::visit(
        [&](auto& fit) {
          if constexpr (requires { fit.columns(); }) {
            std::map<std::string, std::string> columns = fit.columns();
            columns[wanted] = given;
            fit = fit.with_columns(std::move(columns));
          } else {
            throw UsageError("a classifier has feature names, which its fit takes, and no roles of columns");
          }
        },
        needed(model, "model").fit);
  });
}

int linkgistic_summary_text(const linkgistic_model* model, char** text) {
  return guarded([&] {
    needed(text, "text") = nullptr;
    *text = std::visit([](const auto& fit) { return copied(words(fit)); }, needed(model, "model").fit);
  });
}

int linkgistic_warnings(const linkgistic_model* model, char** text) {
  return guarded([&] {
    needed(text, "text") = nullptr;
    std::string lines;
    std::visit(
        [&](const auto& fit) {
          for (const std::string& warning : warnings_of(fit)) lines += warning + "\n";
        },
        needed(model, "model").fit);
    *text = copied(lines);
  });
}

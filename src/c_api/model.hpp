// What a handle of C holds: a fitted model of one of the kinds.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "c_api/guard.hpp"

struct linkgistic_model {
  using Fit = std::variant<linkgistic::FittedMonotoneRegression, linkgistic::FittedMonotoneCalibrator,
                           linkgistic::FittedClassCalibrator, linkgistic::FittedLinkgisticClassifier>;
  Fit fit;
};

namespace linkgistic::c_api {

/// The word for a kind, as in model files.
inline const char* kind_of(const FittedMonotoneRegression&) { return "monotone regression"; }
inline const char* kind_of(const FittedMonotoneCalibrator&) { return "monotone calibrator"; }
inline const char* kind_of(const FittedClassCalibrator&) { return "class calibrator"; }
inline const char* kind_of(const FittedLinkgisticClassifier&) { return "linkgistic classifier"; }
inline const char* kind_of(const linkgistic_model& model) {
  return std::visit([](const auto& fit) { return kind_of(fit); }, model.fit);
}

/// The columns that a prediction reads, and the classes, 0 where it writes a single column.
std::size_t inputs_of(const linkgistic_model& model);
std::size_t classes_of(const linkgistic_model& model);

/// The fit of a model; a UsageError says that models of its kind have no `what`.
template <class Fit>
const Fit& fit_of(const linkgistic_model* model, const char* what) {
  const linkgistic_model& given = needed(model, "model");
  if (const auto* fit = std::get_if<Fit>(&given.fit)) return *fit;
  throw UsageError(std::string("a model of kind '") + kind_of(given) + "' has no " + what);
}

/// A handle for make(), which the caller of C owns; null where it fails.
template <class Make>
int give_model(linkgistic_model** model, const Make& make) noexcept {
  return guarded([&] {
    needed(model, "model") = nullptr;
    *model = std::make_unique<linkgistic_model>(linkgistic_model{make()}).release();
  });
}

}  // namespace linkgistic::c_api

// Fits.
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <linkgistic/label_encoding.hpp>

#include "c_api/matrix.hpp"
#include "c_api/model.hpp"
#include "c_api/options.hpp"
#include "calibration/options.hpp"
#include "classification/options.hpp"
#include "regression/options.hpp"

namespace linkgistic::c_api {
namespace {

[[noreturn]] void refuse_label(std::size_t row, std::int32_t label, const std::string& allowed) {
  throw InputError("label: row " + std::to_string(row + 1) + " has " + std::to_string(label) +
                   ": it must be " + allowed);
}

std::vector<std::uint8_t> truth_values(std::span<const std::int32_t> labels) {
  std::vector<std::uint8_t> values;
  values.reserve(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != 0 && labels[i] != 1) refuse_label(i, labels[i], "0 or 1");
    values.push_back(labels[i] == 1 ? 1 : 0);
  }
  return values;
}

std::vector<std::string> names_of(const char* const* names, std::size_t count, const char* argument) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i] == nullptr)
      throw UsageError(std::string(argument) + ": name " + std::to_string(i) + " is NULL");
    result.emplace_back(names[i]);
  }
  return result;
}

// Labels of classes that are known by their numbers.
std::vector<std::int32_t> class_numbers(std::span<const std::int32_t> labels, std::size_t classes) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= classes)
      refuse_label(i, labels[i], "from 0 to " + std::to_string(classes) + " - 1");
  }
  return {labels.begin(), labels.end()};
}

FeatureRows feature_rows(const double* x, const MatrixShape& shape) {
  std::vector<double> room;
  return FeatureRows::dense(by_rows(x, shape, "x", room), shape.rows, shape.columns);
}

}  // namespace
}  // namespace linkgistic::c_api

using namespace linkgistic;
using namespace linkgistic::c_api;

int linkgistic_fit_regression(const double* x, const double* y, const double* weight, size_t rows,
                              const char* options, linkgistic_stop stop, void* context,
                              linkgistic_model** model) {
  return linkgistic_fit_response(x, y, weight, nullptr, nullptr, nullptr, rows, options, stop, context,
                                 model);
}

int linkgistic_fit_response(const double* x, const double* y, const double* weight, const double* offset,
                            const double* exposure, const double* trials, size_t rows, const char* options,
                            linkgistic_stop stop, void* context, linkgistic_model** model) {
  return give_model(model, [&] {
    auto wanted = read_options<MonotoneRegressionOptions>(options);
    wanted.stop = stop_function(stop, context);
    return MonotoneRegression(std::move(wanted))
        .fit_rows({values_of(x, rows, "x"), values_of(y, rows, "y"), optional_values(weight, rows),
                   optional_values(offset, rows), optional_values(exposure, rows),
                   optional_values(trials, rows)});
  });
}

int linkgistic_fit_calibrator(const double* score, const int32_t* label, const double* weight, size_t rows,
                              const char* options, linkgistic_model** model) {
  return give_model(model, [&] {
    const MonotoneCalibrator calibrator(read_options<CalibratorOptions>(options));
    return calibrator.fit(values_of(score, rows, "score"), truth_values(values_of(label, rows, "label")),
                          optional_values(weight, rows));
  });
}

int linkgistic_fit_class_calibrator(const double* scores, size_t rows, size_t classes, int layout,
                                    const int32_t* label, const char* const* class_names,
                                    const double* weight, const char* options, linkgistic_stop stop,
                                    void* context, linkgistic_model** model) {
  return give_model(model, [&] {
    const MatrixShape shape(rows, classes, layout);
    auto wanted = read_options<ClassCalibratorOptions>(options);
    wanted.stop = stop_function(stop, context);
    std::vector<std::string> names;
    if (class_names != nullptr) {
      names = names_of(class_names, classes, "class_names");
    } else {
      for (std::size_t c = 0; c < classes; ++c) names.push_back(std::to_string(c));
    }
    std::vector<double> room;
    const auto given = by_rows(scores, shape, "scores", room);
    return ClassCalibrator(std::move(wanted))
        .fit(given, class_numbers(values_of(label, rows, "label"), classes), std::move(names),
             optional_values(weight, rows));
  });
}

int linkgistic_fit_classifier(const double* x, size_t rows, size_t columns, int layout,
                              const char* const* feature_names, const int32_t* label,
                              const char* const* class_names, size_t classes, const double* weight,
                              const char* options, linkgistic_stop stop, void* context,
                              linkgistic_model** model) {
  return give_model(model, [&] {
    const MatrixShape shape(rows, columns, layout);
    auto wanted = read_options<LinkgisticOptions>(options);
    wanted.stop = stop_function(stop, context);
    const LinkgisticClassifier classifier(std::move(wanted));
    const auto labels = values_of(label, rows, "label");
    ClassificationData data;
    if (class_names != nullptr) {
      data.rows = feature_rows(x, shape);
      data.labels = class_numbers(labels, classes);
      data.class_names = names_of(class_names, classes, "class_names");
    } else {
      data = labelled_rows(feature_rows(x, shape), labels);
    }
    if (feature_names != nullptr) {
      data.feature_names = names_of(feature_names, columns, "feature_names");
      for (const std::string& name : data.feature_names) data.encoding.columns.emplace_back().name = name;
    }
    const auto weights = optional_values(weight, rows);
    data.weights.assign(weights.begin(), weights.end());
    return classifier.fit(data);
  });
}

void linkgistic_free(linkgistic_model* model) { delete model; }

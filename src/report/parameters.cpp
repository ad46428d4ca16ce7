#include <linkgistic/error.hpp>
#include <linkgistic/parameters.hpp>

#include "calibration/options.hpp"
#include "classification/options.hpp"
#include "regression/options.hpp"

namespace linkgistic {
namespace {

// The type in the words of Python: {'gp', 'isgp', 'offset'}.
template <class T>
std::string type_words(const FieldFacts<T>& f) {
  if (!f.type.empty()) return f.type;
  if constexpr (std::is_enum_v<T>) {
    std::string words;
    for (const auto& entry : *f.allowed) words += (words.empty() ? "'" : ", '") + entry.first + "'";
    return "{" + words + "}";
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::optional<bool>>) {
    return "bool";
  } else if constexpr (std::is_integral_v<T>) {
    return "int";
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>) {
    return "float";
  } else if constexpr (std::is_same_v<T, Rate>) {
    return "float or 'learn'";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "str";
  } else {
    return "dict";
  }
}

template <class Options>
std::vector<Parameter> parameters() {
  std::vector<Parameter> table;
  const Options options;
  each_field(options, [&table](const auto& f, const auto&) {
    table.push_back({f.name, type_words(f), f.words});
  });
  return table;
}

}  // namespace

const std::vector<Parameter>& classifier_parameters() {
  static const auto table = parameters<LinkgisticOptions>();
  return table;
}

const std::vector<Parameter>& regression_parameters() {
  static const auto table = parameters<MonotoneRegressionOptions>();
  return table;
}

const std::vector<Parameter>& calibrator_parameters() {
  static const auto table = parameters<ClassCalibratorOptions>();
  return table;
}

const std::string& parameter_text(const std::vector<Parameter>& table, std::string_view name) {
  for (const Parameter& parameter : table)
    if (parameter.name == name) return parameter.text;
  throw UsageError("there is no parameter '" + std::string(name) + "'");
}

}  // namespace linkgistic

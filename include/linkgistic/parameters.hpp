// What the parameters of the models mean, told once: the program's help and the docstrings of the Python
// package are made of these words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <linkgistic/export.hpp>

namespace linkgistic {

struct Parameter {
  std::string name;  // the field of the options struct, which has its default
  std::string type;  // in the words of Python: "int", "float", "{'on', 'off'}"
  std::string text;  // sentences without markup
};

/// Of LinkgisticOptions.
LINKGISTIC_API const std::vector<Parameter>& classifier_parameters();
/// Of MonotoneRegressionOptions.
LINKGISTIC_API const std::vector<Parameter>& regression_parameters();
/// Of CalibratorOptions and ClassCalibratorOptions together.
LINKGISTIC_API const std::vector<Parameter>& calibrator_parameters();

/// The text of a parameter; throws UsageError where the table has no such name.
LINKGISTIC_API const std::string& parameter_text(const std::vector<Parameter>& table, std::string_view name);

}  // namespace linkgistic

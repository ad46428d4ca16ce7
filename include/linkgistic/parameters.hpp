// What the parameters of the models mean. The program's help and the docstrings of the Python package are
// made from these texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <linkgistic/export.hpp>

namespace linkgistic {

struct Parameter {
  std::string name;  // the member of the options struct, where its default is
  std::string type;  // as Python documents it: "int", "float", "{'on', 'off'}"
  std::string text;  // sentences without markup
};

/// The parameters of LinkgisticOptions.
LINKGISTIC_API const std::vector<Parameter>& classifier_parameters();
/// The parameters of MonotoneRegressionOptions.
LINKGISTIC_API const std::vector<Parameter>& regression_parameters();
/// The parameters of CalibratorOptions and ClassCalibratorOptions together.
LINKGISTIC_API const std::vector<Parameter>& calibrator_parameters();

/// The text of a parameter. Throws a UsageError if the table has no such name.
LINKGISTIC_API const std::string& parameter_text(const std::vector<Parameter>& table, std::string_view name);

}  // namespace linkgistic

// Fitted models in forms that other programs run: ONNX, a header of C, SQL, a table of numbers in JSON.
#pragma once

#include <string>

#include <linkgistic/export.hpp>

namespace linkgistic {

/// Writes a model, the text of its file (`to_json`), in the form that the ending of `path` names: .onnx, .h,
/// .sql or .json. `name` is that of the function of C (default: predict) or of the table that the query reads
/// (default: input). What is written agrees with the model's point predictions to 1e-7 in the probability
/// (1e-6 of a classifier, whose scores are in single precision), or to 1e-9 of the range of a regression's
/// curve, but for the single precision of ONNX's inputs and outputs (docs/export.md). Throws a UsageError for
/// another ending, for a name that a function of C or C++ cannot have, and for a model that has no such form:
/// pairs of classes and calibrators of many classes.
LINKGISTIC_API void export_model(const std::string& model_text, const std::string& path,
                                 const std::string& name = "");

/// The same as text; `ending` is that of the form.
LINKGISTIC_API std::string exported_model(const std::string& model_text, const std::string& ending,
                                          const std::string& name = "");

}  // namespace linkgistic

// The forms of a portable model, each the text of a file.
#pragma once

#include <string>

#include "export/portable_model.hpp"

namespace linkgistic {

/// ONNX, opset 13: one input of floats (n, D), computed in double. Outputs: of a regression `estimate` (n,
/// 1); else `label` (n), the number of the most probable class, and last `probabilities` (n, C).
std::string onnx_text(const PortableModel& model);

/// A header of C without dependencies but math.h: void NAME(const double* x, double* out).
std::string c_text(const PortableModel& model, const std::string& name);

/// A query over a table called `name`: its columns, and `estimate`, or the probability of each class as
/// p_CLASS.
std::string sql_text(const PortableModel& model, const std::string& name);

/// The numbers and how they are used, as JSON.
std::string json_text(const PortableModel& model);

}  // namespace linkgistic

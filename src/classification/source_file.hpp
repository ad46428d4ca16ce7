// A source by its coefficients, as the files of learned losses keep it.
#pragma once

#include <nlohmann/json.hpp>

#include "source/trig_curve.hpp"

namespace linkgistic {

nlohmann::json source_to_json(const TrigCoefficients& c);
TrigCoefficients source_from_json(const nlohmann::json& j);

}  // namespace linkgistic

// The draws behind a calibrator's bands in its file.
#pragma once

#include <nlohmann/json.hpp>

#include <linkgistic/inference.hpp>

#include "calibration/posterior.hpp"

namespace linkgistic {

nlohmann::json bands_to_json(const CalibrationPosterior& posterior, Inference inference);

/// For a state whose other parts are known. InputError for what does not fit it.
CalibrationPosterior bands_from_json(const nlohmann::json& j, const FittedCalibratorState& state);

}  // namespace linkgistic

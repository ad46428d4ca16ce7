// The three kinds of posterior in a model file.
#pragma once

#include <memory>

#include <nlohmann/json.hpp>

#include "inference/posterior.hpp"

namespace linkgistic {

/// {"mode", "factor"} for Laplace; {"kind": "variational", "mode", "factor", "spread"}; {"kind": "samples",
/// "draws" and, where each draw has its own, "theta"}.
nlohmann::json posterior_to_json(const Posterior& posterior);

/// And back; InputError for sizes that do not fit the source and for numbers that are not finite.
std::shared_ptr<const Posterior> posterior_from_json(const nlohmann::json& j, const SourceModel& source);

}  // namespace linkgistic

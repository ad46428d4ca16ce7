// How columns become features, in a model file.
#pragma once

#include <nlohmann/json.hpp>

#include <linkgistic/feature_encoding.hpp>

namespace linkgistic {

nlohmann::json encoding_to_json(const FeatureEncoding& encoding);
/// And back; an encoding of another number of features than `width` is an InputError.
FeatureEncoding encoding_from_json(const nlohmann::json& j, std::size_t width);

}  // namespace linkgistic

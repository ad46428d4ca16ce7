// What all model files have in common: JSON with a format, a version and a kind.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

namespace linkgistic {

/// {"format": "linkgistic-model", "version": 1, "kind": kind, "library": ...}.
nlohmann::json model_head(const std::string& kind);

/// The text of a model file ("-": stdin, .gz read as well).
std::string read_model_text(const std::string& path);

/// The parsed text, its head checked. InputError with `origin` for anything that is not a model of this
/// version.
nlohmann::json parse_model(const std::string& text, const std::string& origin);
std::string model_kind(const std::string& text, const std::string& origin);

/// Returns build(parsed); every failure becomes an InputError that names `origin`.
template <class Build>
auto read_model(const std::string& text, const std::string& origin, const std::string& kind,
                const Build& build) {
  const nlohmann::json j = parse_model(text, origin);
  if (j.at("kind") != kind) {
    throw InputError(origin + ": this is a model of kind '" + j.at("kind").get<std::string>() + "', not '" +
                     kind + "'");
  }
  try {
    return build(j);
  } catch (const std::exception& e) {
    std::string what = e.what();
    if (what.starts_with("[json.exception")) what.erase(0, what.find("] ") + 2);  // "key 'x' not found" stays
    throw InputError(origin + ": the model file is damaged: " + what);
  }
}

}  // namespace linkgistic

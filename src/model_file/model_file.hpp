// What all model files have in common: JSON with a format, a version and a kind.
#pragma once

#include <new>
#include <string>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "io/atomic_file.hpp"

namespace linkgistic {

/// {"format": "linkgistic-model", "version": 1, "kind": kind, "library": ...}.
nlohmann::json model_head(const std::string& kind);

/// The text that a model file holds. A name that is not UTF-8 is an InputError.
std::string model_text(const nlohmann::json& content);

/// The text of a model file ("-": stdin, .gz read as well).
std::string read_model_text(const std::string& path);

/// A parsed model file with its head checked.
struct ModelFile {
  nlohmann::json content;
  std::string origin;  // names it in messages
  [[nodiscard]] std::string kind() const { return content.at("kind").get<std::string>(); }
};

/// InputError with `origin` for anything that is not a model of this version.
ModelFile parse_model(const std::string& text, const std::string& origin);
ModelFile check_model(nlohmann::json content, const std::string& origin);

/// build(content), with every failure told as an InputError that names the file.
template <class Build>
auto read_model(const ModelFile& file, const std::string& kind, const Build& build) {
  if (file.kind() != kind) {
    throw InputError(file.origin + ": this is a model of kind '" + file.kind() + "', not '" + kind + "'");
  }
  try {
    return build(file.content);
  } catch (const std::bad_alloc&) {
    throw;  // the machine is at fault, not the file
  } catch (const std::exception& e) {
    std::string what = e.what();
    if (what.starts_with("[json.exception")) what.erase(0, what.find("] ") + 2);  // "key 'x' not found" stays
    throw InputError(file.origin + ": the model file is damaged: " + what);
  }
}

/// Throws an InputError if the text of a model just made cannot be read back.
template <class Load>
void check_readable(const std::string& text, const Load& load) {
  try {
    load(text);
  } catch (const InputError& e) {
    throw InputError(std::string("the rows are too extreme for this fit, and no model is written: ") +
                     e.what());
  }
}

/// Writes a model to a file, once it has been read back; otherwise what the file held stays.
template <class Model>
void save_model(const Model& model, const std::string& path) {
  const std::string text = model.to_json();
  check_readable(text, [](const std::string& t) { (void)Model::from_json(t, "the model"); });
  write_atomically(path, text);
}

}  // namespace linkgistic

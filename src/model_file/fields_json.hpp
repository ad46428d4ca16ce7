// Structs with a table of fields in model files: an object with a key a field.
#pragma once

#include <cmath>
#include <vector>

#include <nlohmann/json.hpp>

#include "model_file/json_values.hpp"
#include "text/fields.hpp"
#include "text/names.hpp"

namespace linkgistic {

template <HasFields S>
nlohmann::json fields_to_json(const S& s, bool all = false);
template <HasFields S>
void fields_from_json(const nlohmann::json& j, S& s);

namespace field_json {

template <class T>
nlohmann::json to_json(const FieldFacts<T>& f, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return name_of(*f.allowed, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return f.allowed != nullptr ? nlohmann::json(name_of(*f.allowed, value)) : nlohmann::json(value);
  } else {
    return value;
  }
}
template <class T>
nlohmann::json to_json(const FieldFacts<std::optional<T>>&, const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}
// A number, or the word learn.
inline nlohmann::json to_json(const FieldFacts<Rate>&, const Rate& rate) {
  return rate.learned ? nlohmann::json("learn") : nlohmann::json(rate.value);
}
inline void from_json(const nlohmann::json& j, const FieldFacts<Rate>&, Rate& rate) {
  rate.learned = j == "learn";
  rate.value = rate.learned ? 0 : j.get<double>();
}
template <HasFields S>
nlohmann::json to_json(const FieldFacts<std::vector<S>>&, const std::vector<S>& values) {
  nlohmann::json all = nlohmann::json::array();
  for (const S& value : values) all.push_back(fields_to_json(value));
  return all;
}

template <class T>
void from_json(const nlohmann::json& j, const FieldFacts<T>& f, T& value) {
  if constexpr (std::is_enum_v<T>) {
    value = value_of(*f.allowed, j.get<std::string>());
  } else if constexpr (std::is_same_v<T, bool>) {
    value = f.allowed != nullptr ? value_of(*f.allowed, j.get<std::string>()) : j.get<bool>();
  } else if constexpr (WholeNumber<T>) {
    value = whole_number<T>(j);
  } else {
    j.get_to(value);
  }
}
template <class T>
void from_json(const nlohmann::json& j, const FieldFacts<std::optional<T>>&, std::optional<T>& value) {
  if constexpr (WholeNumber<T>) {
    value = whole_number<T>(j);
  } else {
    value = j.get<T>();
  }
}
// JSON has null for a number that is not finite.
inline void from_json(const nlohmann::json& j, const FieldFacts<std::vector<double>>&,
                      std::vector<double>& values) {
  values.clear();
  for (const nlohmann::json& value : j)
    values.push_back(value.is_null() ? std::nan("") : value.get<double>());
}
template <HasFields S>
void from_json(const nlohmann::json& j, const FieldFacts<std::vector<S>>&, std::vector<S>& values) {
  values.clear();
  for (const nlohmann::json& value : j) fields_from_json(value, values.emplace_back());
}

}  // namespace field_json

/// The fields that files keep, or all.
template <HasFields S>
nlohmann::json fields_to_json(const S& s, bool all) {
  nlohmann::json j = nlohmann::json::object();
  each_field(s, [&](const auto& f, const auto& value) {
    if (all || (f.in_file && !is_left_out(f, value))) j[f.name] = field_json::to_json(f, value);
  });
  return j;
}

/// And back: what is null, or absent because it came later, keeps the value that it has.
template <HasFields S>
void fields_from_json(const nlohmann::json& j, S& s) {
  each_field(s, [&j](const auto& f, auto& value) {
    if (!f.in_file || (f.came_later && !j.contains(f.name))) return;
    const nlohmann::json& found = j.at(f.name);
    if (!found.is_null()) field_json::from_json(found, f, value);
  });
}

/// Options from a file, validated.
template <HasFields Options>
Options options_from_json(const nlohmann::json& j) {
  Options options;
  fields_from_json(j, options);
  options.validate();
  return options;
}

}  // namespace linkgistic

// Options as a text of JSON, by the tables of the options.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/error.hpp>

#include "model_file/fields_json.hpp"
#include "text/message.hpp"
#include "text/nearest.hpp"

namespace linkgistic::c_api {

/// The object that the text is; an empty one for a null pointer, a UsageError for anything else.
nlohmann::json parse_options(const char* text);

/// Sets a field of options; a value that it cannot have is a UsageError that names both.
template <class Facts, class T>
void set_option(const Facts& facts, T& field, const nlohmann::json& value) {
  if (value.is_null()) return;  // its default
  try {
    field_json::from_json(value, facts, field);
  } catch (const nlohmann::json::exception&) {
    throw UsageError(facts.name + " = " + value.dump() + ": it has the wrong type");
  } catch (const InputError& error) {
    throw UsageError(facts.name + " = " + value.dump() + ": " + error.what());
  }
}

/// Options with the values of the text and the defaults of the rest. The fits check them.
template <HasFields Options>
Options read_options(const char* text) {
  Options options;
  const nlohmann::json given = parse_options(text);
  for (const auto& [key, value] : given.items()) {
    bool known = false;
    std::vector<std::string> names;
    // Not key and value themselves: a lambda may not hold what a structured binding names.
    each_field(options, [&, name = key, &set = value](const auto& facts, auto& field) {
      names.push_back(facts.name);
      if (facts.name != name) return;
      known = true;
      set_option(facts, field, set);
    });
    if (known) continue;
    const std::string* meant = nearest(names, key);
    throw UsageError("there is no option " + in_quotes(key) +
                     (meant != nullptr ? "; is " + *meant + " meant?" : ": there are " + joined(names)));
  }
  return options;
}

}  // namespace linkgistic::c_api

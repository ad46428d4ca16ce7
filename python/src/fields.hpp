// Structs with a table of fields as dictionaries: options from Python and back, summaries to Python.
#pragma once

#include <nanobind/stl/pair.h>

#include "bindings.hpp"
#include "text/fields.hpp"
#include "text/names.hpp"

namespace linkgistic::python {

template <class T>
void set_field(const FieldFacts<T>& f, T& value, nb::handle given) {
  if constexpr (std::is_enum_v<T>) {
    value = value_of(*f.allowed, nb::cast<std::string>(given));
  } else if constexpr (std::is_same_v<T, Rate>) {
    if (nb::isinstance<nb::str>(given)) {
      if (nb::cast<std::string>(given) != "learn") throw InputError("it must be a number, or the word learn");
      value = {0, true};
    } else {
      value = {nb::cast<double>(given), false};
    }
  } else {
    if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
      std::int64_t number = 0;
      if (nb::try_cast(given, number) && number < 0) throw InputError("it must not be negative");
    }
    value = nb::cast<T>(given);
  }
}

/// Options of a dictionary. A name that is no option is a TypeError, and so is a value of a wrong type.
template <class Options>
Options read_options(const nb::dict& given) {
  Options options;
  for (const auto& [key, handle] : given) {
    const auto name = nb::cast<std::string>(key);
    const nb::handle value = handle;
    bool known = false;
    try {
      each_field(options, [&](const auto& f, auto& field) {
        if (f.name != name) return;
        known = true;
        set_field(f, field, value);
      });
    } catch (const nb::cast_error&) {
      const std::string text = nb::cast<std::string>(nb::str(value));
      throw nb::type_error((name + " = " + text + ": it has the wrong type").c_str());
    } catch (const InputError& error) {
      throw UsageError(name + " = " + nb::cast<std::string>(nb::str(value)) + ": " + error.what());
    }
    if (!known) throw nb::type_error(("there is no option '" + name + "'").c_str());
  }
  return options;
}

template <HasFields S>
nb::dict fields_dict(const S& s, bool all = true);

template <class T>
nb::object field_object(const FieldFacts<T>& f, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return nb::cast(name_of(*f.allowed, value));
  } else if constexpr (std::is_same_v<T, Rate>) {
    return value.learned ? nb::object(nb::str("learn")) : nb::object(nb::float_(value.value));
  } else {
    return nb::cast(value);
  }
}
template <HasFields S>
nb::object field_object(const FieldFacts<std::vector<S>>&, const std::vector<S>& values) {
  nb::list list;
  for (const S& value : values) list.append(fields_dict(value));
  return list;
}

/// A value a field, by its name; enumerations are words. All fields, or those that a model file keeps.
template <HasFields S>
nb::dict fields_dict(const S& s, bool all) {
  nb::dict d;
  each_field(s, [&](const auto& f, const auto& value) {
    if (all || f.in_file) d[f.name.c_str()] = field_object(f, value);
  });
  return d;
}

}  // namespace linkgistic::python

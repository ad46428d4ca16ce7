// Flags of options: those of a fit are made from its table of fields.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "data_options.hpp"
#include "text/fields.hpp"
#include "text/names.hpp"

namespace linkgistic {

/// A check that the text is one of the words.
template <class Enum>
CLI::IsMember one_of(const std::map<std::string, Enum>& names) {
  std::vector<std::string> words;
  for (const auto& entry : names) words.push_back(entry.first);
  return CLI::IsMember(words);
}

/// A flag whose value is one of the words of text/names.hpp.
template <class Enum>
CLI::Option* add_choice(CLI::App& verb, const std::string& flag, std::string& word,
                        const std::map<std::string, Enum>& names, Enum preset, const std::string& meaning) {
  word = name_of(names, preset);
  return verb.add_option(flag, word, meaning)->check(one_of(names))->capture_default_str();
}

/// --seed, any 64-bit number.
CLI::Option* add_seed(CLI::App& verb, std::uint64_t& seed, const std::string& meaning);

/// The value of a flag that is on, off or auto; anything else is a UsageError.
std::optional<bool> on_off_or_auto(const std::string& flag, const std::string& text);

/// A flag of NAME=NUMBER,..., none of them twice.
CLI::Option* add_named_numbers(CLI::App& verb, const std::string& flag, std::map<std::string, double>& values,
                               const std::string& meaning);

/// NAME=NUMBER; a UsageError that names the flag for anything else, with `rule` for what it must be.
std::pair<std::string, double> named_number(const std::string& flag, const std::string& entry,
                                            const std::string& rule);

/// The flag of a field, which sets `value`; its default is the value that it has.
template <class T>
CLI::Option* add_field(CLI::App& verb, const FieldFacts<T>& f, T& value) {
  const std::string help = f.words + (f.flag_words.empty() ? "" : " ") + f.flag_words;
  const auto from_text = [&](const auto& set) {
    return verb.add_option_function<std::string>(f.flag, set, help);
  };
  if constexpr (std::is_same_v<T, bool>) {
    return verb.add_flag(f.flag, value, help);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return add_seed(verb, value, help);
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    return from_text([flag = f.flag, &value](const std::string& text) { value = number_or_auto(flag, text); })
        ->default_str("auto");
  } else if constexpr (std::is_same_v<T, Rate>) {
    return from_text([flag = f.flag, &value](const std::string& text) { value = rate_or_learn(flag, text); })
        ->default_str(value.learned ? "learn" : shortest(value.value));
  } else if constexpr (std::is_same_v<T, std::optional<bool>>) {
    return from_text([flag = f.flag, &value](const std::string& text) { value = on_off_or_auto(flag, text); })
        ->default_str("auto");
  } else if constexpr (std::is_same_v<T, std::map<std::string, double>>) {
    return add_named_numbers(verb, f.flag, value, help);
  } else if constexpr (std::is_enum_v<T>) {
    return from_text([names = f.allowed, &value](const std::string& word) { value = value_of(*names, word); })
        ->check(one_of(*f.allowed))
        ->default_str(name_of(*f.allowed, value));
  } else {
    return verb.add_option(f.flag, value, help)->capture_default_str();
  }
}

/// The flags of all options but those that stand behind another's flag, or are called `except`.
template <class Options>
void add_option_flags(CLI::App& verb, Options& options, const std::string& except = {}) {
  each_field(options, [&](const auto& f, auto& value) {
    if (f.name != except && f.flag.find(' ') == std::string::npos) add_field(verb, f, value)->group("Model");
  });
}

}  // namespace linkgistic

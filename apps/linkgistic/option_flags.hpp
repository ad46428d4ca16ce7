// Flags of options: those of a fit are made from its table of fields.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

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

/// NAME=NUMBER; a UsageError that names the flag for anything else, with `rule` for what it must be.
std::pair<std::string, double> named_number(const std::string& flag, const std::string& entry,
                                            const std::string& rule);

template <class T>
std::string flag_help(const FieldFacts<T>& f) {
  return f.words + (f.flag_words.empty() ? "" : " ") + f.flag_words;
}

/// The flag of a field, which sets `value`; its default is the value that it has.
CLI::Option* add_field(CLI::App& verb, const FieldFacts<bool>& f, bool& value);
CLI::Option* add_field(CLI::App& verb, const FieldFacts<int>& f, int& value);
CLI::Option* add_field(CLI::App& verb, const FieldFacts<double>& f, double& value);
CLI::Option* add_field(CLI::App& verb, const FieldFacts<std::uint64_t>& f, std::uint64_t& value);
CLI::Option* add_field(CLI::App& verb, const FieldFacts<std::string>& f, std::string& value);
CLI::Option* add_field(CLI::App& verb, const FieldFacts<std::optional<double>>& f,
                       std::optional<double>& value);
CLI::Option* add_field(CLI::App& verb, const FieldFacts<std::optional<bool>>& f, std::optional<bool>& value);
CLI::Option* add_field(CLI::App& verb, const FieldFacts<std::map<std::string, double>>& f,
                       std::map<std::string, double>& values);
template <class Enum>
CLI::Option* add_field(CLI::App& verb, const FieldFacts<Enum>& f, Enum& value) {
  const auto* names = f.allowed;
  const auto set = [names, &value](const std::string& word) { value = value_of(*names, word); };
  return verb.add_option_function<std::string>(f.flag, set, flag_help(f))
      ->check(one_of(*names))
      ->default_str(name_of(*names, value));
}

/// The flags of all options but those that stand behind another's flag, or are called `except`.
template <class Options>
void add_option_flags(CLI::App& verb, Options& options, const std::string& except = {}) {
  each_field(options, [&](const auto& f, auto& value) {
    if (f.name != except && f.flag.find(' ') == std::string::npos) add_field(verb, f, value)->group("Model");
  });
}

/// The facts of the option with this name.
template <class T, class Options>
FieldFacts<T> facts_of(const Options& options, const std::string& name) {
  FieldFacts<T> found;
  each_field(options, [&](const auto& f, const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const T&>)
      if (f.name == name) found = f;
  });
  return found;
}

}  // namespace linkgistic

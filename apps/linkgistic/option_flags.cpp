#include "option_flags.hpp"

#include <charconv>

#include <linkgistic/error.hpp>

#include "text/message.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {

CLI::Option* add_seed(CLI::App& verb, std::uint64_t& seed, const std::string& meaning) {
  return verb.add_option("--seed", seed, meaning)
      ->check(CLI::Validator(
          [](const std::string& text) {
            std::uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto parsed = std::from_chars(text.data(), end, value);
            const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
            return whole ? std::string()
                         : in_quotes(text) + " is not a whole number from 0 to 18446744073709551615";
          },
          "UINT64"))
      ->capture_default_str();
}

std::pair<std::string, double> named_number(const std::string& flag, const std::string& entry,
                                            const std::string& rule) {
  const auto equals = entry.rfind('=');
  double value = 0;
  if (equals == std::string::npos || equals == 0 ||
      parse_number(std::string_view(entry).substr(equals + 1), value) != NumberKind::finite) {
    throw UsageError(flag + " " + in_quotes(entry) + ": it must be " + rule);
  }
  return {std::string(trimmed(std::string_view(entry).substr(0, equals))), value};
}

std::optional<bool> on_off_or_auto(const std::string& flag, const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "on" || text == "off") return text == "on";
  throw UsageError(flag + " " + in_quotes(text) + ": it must be on, off or auto");
}

CLI::Option* add_named_numbers(CLI::App& verb, const std::string& flag, std::map<std::string, double>& values,
                               const std::string& meaning) {
  const auto set = [flag, &values](const std::vector<std::string>& entries) {
    for (const std::string& entry : entries) {
      const auto [name, value] = named_number(flag, entry, "NAME=NUMBER");
      if (!values.emplace(name, value).second)
        throw UsageError(flag + ": " + in_quotes(name) + " is given twice");
    }
  };
  return verb.add_option_function<std::vector<std::string>>(flag, set, meaning)
      ->delimiter(',')
      ->allow_extra_args(false);
}

}  // namespace linkgistic

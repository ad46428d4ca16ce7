#include "source_options.hpp"

#include <charconv>

#include <linkgistic/error.hpp>
#include <linkgistic/parameters.hpp>

#include "text/message.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {
void add_source_options(CLI::App& verb, SourceOptions& options) {
  const MonotoneRegressionOptions preset;
  options.harmonics = preset.harmonics;
  options.seed = preset.seed;
  options.draws = preset.draws;
  options.threads = preset.threads;
  const std::string group = "Model";
  const auto meaning = [](std::string_view parameter) {
    return parameter_text(regression_parameters(), parameter);
  };
  add_choice(verb, "--prior", options.prior, prior_names(), preset.prior, meaning("prior"))->group(group);
  add_choice(verb, "--basis", options.basis, basis_names(), preset.basis, meaning("basis"))->group(group);
  add_choice(verb, "--origin", options.origin, origin_names(), preset.origin, meaning("origin"))
      ->group(group);
  verb.add_option("--harmonics", options.harmonics, meaning("harmonics"))
      ->capture_default_str()
      ->group(group);
  add_choice(verb, "--direction", options.direction, direction_names(), preset.direction,
             meaning("direction"))
      ->group(group);
  add_choice(verb, "--inference", options.inference, inference_names(), preset.inference,
             meaning("inference"))
      ->group(group);
  verb.add_option("--draws", options.draws, meaning("draws"))->capture_default_str()->group(group);
  verb.add_option("--fix", options.fix, meaning("fixed") + " Such as a=1.2,noise=0.5.")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  add_seed(verb, options.seed, meaning("seed"))->group(group);
  verb.add_option("--threads", options.threads, meaning("threads"))->capture_default_str()->group(group);
}

CLI::Option* add_seed(CLI::App& verb, std::uint64_t& seed, const std::string& meaning) {
  return verb.add_option("--seed", seed, meaning)
      ->check(CLI::Validator(
          [](const std::string& text) {
            std::uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto parsed = std::from_chars(text.data(), end, value);
            const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
            return whole ? std::string()
                         : in_quotes(text) + " is no whole number from 0 to 18446744073709551615";
          },
          "UINT64"))
      ->capture_default_str();
}

MonotoneRegressionOptions regression_options(const SourceOptions& options) {
  MonotoneRegressionOptions result;
  result.prior = value_of(prior_names(), options.prior);
  result.basis = value_of(basis_names(), options.basis);
  result.origin = value_of(origin_names(), options.origin);
  result.direction = value_of(direction_names(), options.direction);
  result.inference = value_of(inference_names(), options.inference);
  result.draws = options.draws;
  result.harmonics = options.harmonics;
  result.fixed = parse_fixed(options.fix);
  result.seed = options.seed;
  result.threads = options.threads;
  return result;
}

std::map<std::string, double> parse_fixed(const std::vector<std::string>& entries) {
  std::map<std::string, double> fixed;
  for (const std::string& entry : entries) {
    const auto equals = entry.find('=');
    double value = 0;
    if (equals == std::string::npos || equals == 0 ||
        parse_number(std::string_view(entry).substr(equals + 1), value) != NumberKind::finite) {
      throw UsageError("--fix " + in_quotes(entry) + ": it must be NAME=NUMBER");
    }
    const std::string name(trimmed(std::string_view(entry).substr(0, equals)));
    if (!fixed.emplace(name, value).second) throw UsageError("--fix: " + in_quotes(name) + " is given twice");
  }
  return fixed;
}

}  // namespace linkgistic

#include "source_options.hpp"

#include <charconv>

#include <linkgistic/error.hpp>

#include "data/message.hpp"
#include "data/number.hpp"

namespace linkgistic {
void add_source_options(CLI::App& verb, SourceOptions& options) {
  const MonotoneRegressionOptions preset;
  options.harmonics = preset.harmonics;
  options.seed = preset.seed;
  options.draws = preset.draws;
  options.threads = preset.threads;
  const std::string group = "Model";
  add_choice(
      verb, "--prior", options.prior, prior_names(), preset.prior,
      "isgp: integrated squared Gaussian process; offset: the same around a straight line; gp: Gaussian "
      "process, not monotone")
      ->group(group);
  add_choice(verb, "--basis", options.basis, basis_names(), preset.basis,
             "trig: harmonics; nystrom: Gaussian kernels")
      ->group(group);
  add_choice(verb, "--origin", options.origin, origin_names(), preset.origin,
             "Where the integral begins: in the middle with a random intercept, or left of the data")
      ->group(group);
  verb.add_option("--harmonics", options.harmonics, "K, from 1 to 128; the basis has 2K functions")
      ->capture_default_str()
      ->group(group);
  add_choice(verb, "--direction", options.direction, direction_names(), preset.direction,
             "The sign of the slope; auto: by the data")
      ->group(group);
  add_choice(verb, "--inference", options.inference, inference_names(), preset.inference,
             "laplace: Gaussian at the mode; variational: the Gaussian with the greatest lower bound of the "
             "evidence; mcmc: draws from the exact posterior, the slowest")
      ->group(group);
  verb.add_option("--draws", options.draws, "Draws of each of the four chains of mcmc, at least 100")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--fix", options.fix,
                  "Hold hyper-parameters, in the units of the data: a=1.2,noise=0.5. Names: a, b (isgp, gp), "
                  "v, scale (offset), gamma, mu, noise")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  add_seed(verb, options.seed, "Seed of the starting points")->group(group);
  verb.add_option("--threads", options.threads, "0 = all; the result does not depend on it")
      ->capture_default_str()
      ->group(group);
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
                         : linkgistic::quoted(text) + " is no whole number from 0 to 18446744073709551615";
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
      throw UsageError("--fix " + linkgistic::quoted(entry) + ": it must be NAME=NUMBER");
    }
    const std::string name(trimmed(std::string_view(entry).substr(0, equals)));
    if (!fixed.emplace(name, value).second)
      throw UsageError("--fix: " + linkgistic::quoted(name) + " is given twice");
  }
  return fixed;
}

}  // namespace linkgistic

#include "inference/posterior_quality.hpp"

#include <algorithm>

#include <linkgistic/error.hpp>

#include "response/proper_loss_response.hpp"
#include "text/print_number.hpp"

namespace linkgistic {

PosteriorQuality gaussian_quality(Inference inference, double k, bool loose_bound) {
  const bool variational = inference == Inference::variational;
  const std::string what = variational ? "variational Gaussian" : "Gaussian at the mode";
  const std::string verdict = k < 0.5   ? "close to the exact posterior"
                              : k < 0.7 ? "usable"
                              : k < 1   ? "rough; inference mcmc is exact"
                                        : "poor; inference mcmc is exact";
  // A quadratic bound of another log likelihood is more curved than that is.
  const std::string narrow = variational && loose_bound ? "; its bands are too narrow" : "";
  return {what + ", " + verdict + " (Pareto k " + number(k, 2) + ")" + narrow, k, k, {}};
}

PosteriorQuality sample_quality(const SamplingDiagnostics& d) {
  PosteriorQuality result{"samples of the exact posterior: " + d.words(), 0, d.r_hat(), {}};
  if (!d.good()) result.warnings.push_back("the Markov chains did not mix well: " + d.words());
  return result;
}

SamplingOptions sampling_options(int draws, std::uint64_t seed, int threads) {
  SamplingOptions options;
  options.draws = draws;
  options.warmup = std::max(200, draws / 2);
  options.seed = seed;
  options.threads = threads;
  return options;
}

void check_inference(Inference inference, const std::string& loss) {
  if (inference == Inference::variational && !make_response(make_loss(loss))->has_bound()) {
    throw UsageError("inference = variational: no bound is known for the base loss '" + loss +
                     "'; it must be log, or inference laplace or mcmc");
  }
}

}  // namespace linkgistic

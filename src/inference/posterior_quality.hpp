// How far a posterior can be trusted, in words for a user.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/inference.hpp>

#include "inference/sampling.hpp"

namespace linkgistic {

struct PosteriorQuality {
  std::string words;
  double pareto_k = 0;  // of a Gaussian; 0 for samples
  double trouble = 0;   // greater is worse; the worst of several is the one to report
  std::vector<std::string> warnings;
};

/// Judges the Gaussian of Laplace or of the variational bound by its Pareto k. `loose_bound` means that the
/// rows have a quadratic bound that is not exact (DataTerm::is_quadratic).
PosteriorQuality gaussian_quality(Inference inference, double pareto_k, bool loose_bound);
PosteriorQuality sample_quality(const SamplingDiagnostics& diagnostics);

/// Options of the chains for `draws` each.
SamplingOptions sampling_options(int draws, std::uint64_t seed, int threads);

/// UsageError for variational inference with a base loss whose response has no bound.
void check_inference(Inference inference, const std::string& loss);

/// Draws of the posterior in the check of a Gaussian.
inline constexpr int check_draws = 300;

}  // namespace linkgistic

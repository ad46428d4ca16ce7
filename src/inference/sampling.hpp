// The exact posterior of the source's coordinates and the learned hyper-parameters, by Markov chains.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "inference/empirical_bayes.hpp"

namespace linkgistic {

struct SamplingOptions {
  int chains = 4;
  int warmup = 500;
  int draws = 1000;  // a chain
  double target_acceptance = 0.9;
  int start_draws =
      12;  // starting points of the search for modes drawn from the prior, beside the fixed ones
  std::uint64_t seed = 0;
  int threads = 0;                // 0: all
  std::function<bool()> stop;     // true ends it with Interrupted
  std::function<void()> on_draw;  // told each draw, those of the warm-up too, by any thread
};

/// How far the draws can be trusted. R-hat and the effective numbers of draws are the worst over nu at nine
/// places across the range (which, other than f, has no sign) and the learned hyper-parameters.
struct SamplingDiagnostics {
  double r_hat = 1;
  double bulk_ess = 0, tail_ess = 0;
  int divergences = 0;
  int deepest_paths = 0;  // that were cut off
  double acceptance = 0, mean_depth = 0;
  int modes = 1;     // found by the search
  double jumps = 0;  // share of draws that begin with a jump between modes
  std::int64_t gradients = 0;

  /// R-hat below 1.01, at least 100 effective draws a chain, and divergences on at most 1 % of the paths.
  [[nodiscard]] bool good() const;
  /// One sentence for a user.
  [[nodiscard]] std::string words() const;

  int chains = 0, draws = 0;  // as asked for
};

/// Draws in columns, chain after chain. Where the prior does not tell f from -f, fix_sign has set the sign.
struct Sampling {
  Matrix g;          // (D, S)
  Matrix theta;      // (H, S): all hyper-parameters, the held ones too
  Vector log_joint;  // (S): log p(D, g, theta) in the sampler's coordinates
  SamplingDiagnostics diagnostics;
};

/// Chains from the modes at the hyper-parameters of `fit`. `learned` hyper-parameters are sampled under their
/// weak priors (without their bounds); where the basis moves the source's are held at the fit's.
Sampling sample_posterior(const EmpiricalBayes& bayes, const LaplaceFit& fit,
                          const std::vector<bool>& learned, const SamplingOptions& options);

/// The same, and once more with shorter steps and twice the draws where the chains do not agree: the better
/// of the two.
Sampling sample_until_good(const EmpiricalBayes& bayes, const LaplaceFit& fit,
                           const std::vector<bool>& learned, const SamplingOptions& options);

}  // namespace linkgistic

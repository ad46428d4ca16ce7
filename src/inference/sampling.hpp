// The exact posterior of the source's coordinates and the learned hyper-parameters, by Markov chains.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "inference/learn.hpp"
#include "numeric/chain_diagnostics.hpp"
#include "numeric/recall.hpp"

namespace linkgistic {

struct SamplingOptions {
  int chains = 4;
  int warmup = 500;
  int draws = 1000;  // a chain
  double target_acceptance = 0.9;
  int start_draws = 12;  // starts of the search for modes drawn from the prior, in addition to fixed ones
  std::uint64_t seed = 0;
  int threads = 0;                // 0: all
  std::function<bool()> stop;     // true ends it with Interrupted
  std::function<void()> on_draw;  // called after each draw, also in the warm-up, by any thread
  Recall recall;  // of finished draws; its questions distinguish all but the problem and the fit
};

/// How far to trust the draws.
struct SamplingDiagnostics {
  ChainDiagnostics curve;  // the worst over nu at nine places across the range (other than f, it has no sign)
  ChainDiagnostics hyper;  // the worst over the learned hyper-parameters; that of the curve where none is
  int divergences = 0;
  int deepest_paths = 0;  // that were cut off
  double acceptance = 0, mean_depth = 0;
  int modes = 1;     // found by the search
  double jumps = 0;  // share of draws that begin with a jump between modes
  std::int64_t gradients = 0;

  /// The worst over all.
  [[nodiscard]] double r_hat() const { return std::max(curve.r_hat, hyper.r_hat); }
  [[nodiscard]] double bulk_ess() const { return std::min(curve.bulk_ess, hyper.bulk_ess); }
  [[nodiscard]] double tail_ess() const { return std::min(curve.tail_ess, hyper.tail_ess); }

  /// True if the curve has R-hat below 1.01 and at least 100 effective draws a chain, the hyper-parameters,
  /// which no band shows, have R-hat below 1.05, and at most 1 % of the paths diverge.
  [[nodiscard]] bool good() const;
  /// One sentence for a user.
  [[nodiscard]] std::string words() const;

  int chains = 0, draws = 0;  // as requested
};

/// Draws in columns, chain after chain. Where the prior does not tell f from -f, fix_sign has set the sign.
struct Sampling {
  Matrix g;          // (D, S)
  Matrix theta;      // (H, S): all hyper-parameters, the held ones too
  Vector log_joint;  // (S): log p(D, g, theta) in the sampler's coordinates
  SamplingDiagnostics diagnostics;
};

/// Chains from the modes at the hyper-parameters of `fit`. What the problem learns is sampled under its weak
/// priors (without its bounds); where the basis moves the source's are held at the fit's.
Sampling sample_posterior(const Problem& problem, const LaplaceFit& fit, const SamplingOptions& options);

/// The same, and once more with shorter steps and twice the draws where the chains do not agree: the better
/// of the two.
Sampling sample_until_good(const Problem& problem, const LaplaceFit& fit, const SamplingOptions& options);

}  // namespace linkgistic

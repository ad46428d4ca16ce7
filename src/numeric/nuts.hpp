// The no-U-turn sampler: Hamiltonian Monte Carlo whose path length, step and metric tune themselves.
//
// The algorithm of M. Hoffman and A. Gelman (JMLR 15, 2014) with multinomial choice along the path and the
// generalised criterion of M. Betancourt (A conceptual introduction to Hamiltonian Monte Carlo, 2017), as in
// Stan: the criterion is also checked between the halves of a doubled path. Momenta are N(0, I) in
// coordinates u with x = factor u, so that factor factor' plays the part of the inverse metric.
//
// Warm-up runs in phases. The step is tuned by dual averaging all along; after the second and the third phase
// the metric of a label is the covariance of its draws in that phase within their chains, all chains
// together, shrunk to the one before. Chains meet only there, in their order, so the draws do not depend on
// the number of threads.
//
// A chain is made in batches of draws. A batch depends on the chain's state before it and on the metrics
// alone, so that a program that was killed resumes after the last batch that each chain has finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

#include "numeric/random.hpp"
#include "numeric/recall.hpp"
#include "numeric/types.hpp"

namespace linkgistic {

/// A point with what is known there.
struct TargetPoint {
  Vector x, gradient;
  double log_density = 0;
  std::size_t label = 0;

  auto fields() { return std::tie(x, gradient, log_density, label); }
};

/// A density of x and a label, known up to a factor, to sample from. Paths move x; the label chooses their
/// metric and is moved by `jump`. Called by several threads at a time.
class LogTarget {
 public:
  virtual ~LogTarget() = default;
  [[nodiscard]] virtual Index dimension() const = 0;
  [[nodiscard]] virtual std::size_t labels() const { return 1; }
  /// The log density with its gradient in x; not finite where the density is 0.
  virtual double value_and_gradient(const Vector& x, std::size_t label, Vector& gradient) const = 0;
  /// A move of x and label that leaves the density invariant, made before every path. True if x jumped.
  virtual bool jump(TargetPoint& /*point*/, RandomStream& /*random*/) const { return false; }
};

struct NutsOptions {
  int warmup = 500;  // draws before the first that counts
  int draws = 1000;  // a chain
  double target_acceptance = 0.8;
  int max_depth = 10;  // a path has at most 2^max_depth steps
  std::uint64_t seed = 0;
  int threads = 0;                // 0: all
  std::function<bool()> stop;     // polled by any thread; returning true throws Interrupted
  std::function<void()> on_draw;  // called after each draw, also in the warm-up, by any thread
  /// If not empty, draws that it knows are not made again. Its questions distinguish all but the target.
  Recall recall;
};

struct NutsChain {
  Matrix draws;                     // (D, draws)
  Vector log_density;               // (draws)
  std::vector<std::size_t> labels;  // (draws)
  double acceptance = 0;            // mean over the paths
  double step = 0;                  // in u
  int divergences = 0;              // paths on which the energy rose by more than 1,000
  int deepest_paths = 0;            // paths that reached max_depth
  double mean_depth = 0;            // mean number of doublings
  int jumps = 0;                    // paths that began with one
  std::int64_t gradients = 0;       // evaluations, warm-up included
};

struct NutsStart {
  Vector x;
  std::size_t label = 0;
};

/// One chain from each start. factors: for each label (D, D), lower triangular, so that x = factor u has
/// about unit covariance in u.
std::vector<NutsChain> sample_nuts(const LogTarget& target, const std::vector<NutsStart>& starts,
                                   std::vector<Matrix> factors, const NutsOptions& options);

}  // namespace linkgistic

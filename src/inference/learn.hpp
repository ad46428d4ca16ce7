// Problem -> learn -> posterior: hyper-parameters by maximising the Laplace evidence (plus their weak
// priors), guarded against its runaway, and the Gaussian at the mode found there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "inference/laplace.hpp"
#include "inference/posterior.hpp"
#include "inference/problem.hpp"
#include "numeric/maximise.hpp"

namespace linkgistic {

struct LearnOptions {
  double curvature_floor = 1;  // see GuardedCurvature; 1e-300 turns the guard off
  int start_draws = 12;        // starting points drawn from the prior, as well as the fixed ones
  int max_evaluations = 100;
  double tolerance = 1e-5;  // of the log evidence, absolute
  std::uint64_t seed = 0;
  /// Polled between modes. Once it returns true it must stay true; the search then ends with the best so far.
  std::function<bool()> stop;
  /// Receives the objective of every evaluation; phase: "search", of the bound "variational".
  std::function<void(const char* phase, double objective)> on_evaluation;

  /// Throws Interrupted if the caller has stopped the work.
  void poll_stop() const;
  void report(const char* phase, double objective) const;
};

/// One evaluation of the search.
struct TracePoint {
  Vector theta;
  double objective = 0;
  int newton_iterations = 0;
};

/// A fit at learned (or given) hyper-parameters. theta: the source's coordinates, then the response's.
struct LaplaceFit {
  Vector theta;
  SourceModel source;
  Mode mode;
  double log_evidence = 0;  // guarded
  double log_hyper_prior = 0;
  double smallest_eigenvalue = 0;  // of the whitened Hessian
  int floored = 0;                 // eigenvalues raised to the floor
  int evaluations = 0;
  bool converged = false;
  std::string stop;
  std::vector<TracePoint> trace;
  [[nodiscard]] double objective() const { return log_evidence + log_hyper_prior; }
};

/// Learns what the problem leaves free; if nothing is free, finds the best mode. A stop before the first mode
/// is found throws Interrupted.
LaplaceFit learn(const Problem& problem, const LearnOptions& options = {});

/// The log evidence at theta, of the mode reached from that of `near`.
double log_evidence(const Problem& problem, const Vector& theta, const LaplaceFit& near,
                    const LearnOptions& options);

/// The Gaussian posterior of a fit, its covariance guarded. Learned hyper-parameters are integrated out, not
/// where the basis moves: the covariance is E[Sigma(theta) + (g(theta) - g)(g(theta) - g)'], g(theta) the
/// mode there, by Gauss-Hermite quadrature of three nodes in each principal direction of theta's posterior,
/// the nodes reweighted by the objective itself.
GaussianPosterior laplace_posterior(const Problem& problem, const LaplaceFit& fit,
                                    const LearnOptions& options = {});

/// What any objective over the hyper-parameters shares. `objective` gets all coordinates and writes the
/// derivative in each; the learned ones are moved within their bounds, and result.x has all of them.
MaximiseResult maximise_learned(
    const Problem& problem, const LearnOptions& options,
    const std::function<double(const Vector& theta, Vector& gradient)>& objective);

/// (learned, learned): a root of the covariance of the learned hyper-parameters, from minus the second
/// derivative of the objective in them; no more uncertain than under their weak priors.
Matrix hyper_root(const Problem& problem, const Matrix& curvature);

}  // namespace linkgistic

// The variational Gaussian with its hyper-parameters: those that make the bound, plus their weak log priors,
// the greatest. The bound is below the evidence, so it does not run away as Laplace's can, up to rounding.
#pragma once

#include "inference/learn.hpp"
#include "inference/variational.hpp"

namespace linkgistic {

struct VariationalBayesFit {
  Vector theta;
  SourceModel source;
  VariationalFit q;
  double log_hyper_prior = 0;
  int evaluations = 0;
  bool converged = false;
  std::string stop;
  std::vector<double> trace;  // bound plus log hyper-prior at each evaluation
  [[nodiscard]] double objective() const { return q.bound + log_hyper_prior; }
};

/// Begins at a Laplace fit of the problem: its hyper-parameters, mode and guarded covariance. Where the basis
/// moves they stay at the Laplace fit's. A stop before it begins is Interrupted, a later one ends it with the
/// best so far.
VariationalBayesFit learn_bound(const Problem& problem, const LaplaceFit& start,
                                const LearnOptions& options = {});

/// The greatest bound at theta that is reached from the q of `near`.
double bound_at(const Problem& problem, const Vector& theta, const VariationalBayesFit& near,
                const LearnOptions& options);

/// q, and what the uncertainty of the learned hyper-parameters adds to the covariance of kappa to first
/// order, (dE kappa/dtheta) C (dE kappa/dtheta)', C the inverse of the objective's curvature, guarded.
VariationalPosterior variational_posterior(const Problem& problem, const VariationalBayesFit& fit,
                                           const LearnOptions& options = {});

}  // namespace linkgistic

// The variational Gaussian with its hyper-parameters: those that make the bound, plus their weak log priors,
// the greatest. The bound cannot run away as the Laplace evidence can: it is below the evidence.
#pragma once

#include "inference/empirical_bayes.hpp"
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

class VariationalBayes {
 public:
  /// `bayes` must outlive this object: data, hyper-parameters and search are its own.
  explicit VariationalBayes(const EmpiricalBayes& bayes) : bayes_(bayes) {}

  /// Begins at a Laplace fit: its hyper-parameters, mode and guarded covariance. Those with learn[i] are
  /// learned; where the basis moves they stay at the Laplace fit's. A stop before it begins is Interrupted, a
  /// later one ends it with the best so far.
  [[nodiscard]] VariationalBayesFit fit(const LaplaceFit& start, const std::vector<bool>& learn) const;
  /// The greatest bound at theta that is reached from the q of `near`.
  [[nodiscard]] double bound(const Vector& theta, const VariationalBayesFit& near) const;
  /// q, and what the uncertainty of the learned hyper-parameters adds to the covariance of kappa to first
  /// order, (dE kappa/dtheta) C (dE kappa/dtheta)', C the inverse of the objective's curvature, guarded.
  [[nodiscard]] VariationalPosterior posterior(const VariationalBayesFit& fit,
                                               const std::vector<bool>& learned) const;

 private:
  struct Evaluation {
    SourceModel source;
    VariationalFit q;
    Vector gradient;  // of the bound in theta
  };
  [[nodiscard]] Evaluation evaluate(const Vector& theta, const GaussianSite& start,
                                    const VariationalOptions& options) const;
  [[nodiscard]] Matrix hyper_spread(const VariationalBayesFit& fit, const std::vector<bool>& learned) const;

  const EmpiricalBayes& bayes_;
};

}  // namespace linkgistic
